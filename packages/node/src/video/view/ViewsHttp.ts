import { Api } from "@kinora/domain/api/Api"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { UserViewingVideo } from "@kinora/domain/requests/ViewRequests"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { answer } from "../../platform/http/Answer.ts"
import { presentedByViewer } from "../list/Asking.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { Viewing } from "./Viewing.ts"

/** Reports of viewers, under their name of now and under the two they had. */
export const layer = HttpApiBuilder.group(
  Api,
  "videoViews",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const viewing = yield* Viewing

    const report = (asked: {
      readonly params: { readonly id: VideoIdOrUuid }
      readonly payload: UserViewingVideo
      readonly request: HttpServerRequest
    }) =>
      answer(
        Effect.gen(function* () {
          const viewer = yield* presentedByViewer(asked.request)
          const video = yield* access.open(asked.params.id, viewer)
          yield* viewing.report(video, asked.payload, {
            user: viewer.user,
            address: Option.getOrElse(asked.request.remoteAddress, () => ""),
            userAgent: asked.request.headers["user-agent"]
          })
        })
      )

    return handlers.handleAll({ addView: report, setVideoWatchingPost: report, setVideoWatching: report })
  })
)
