import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { UserViewingVideo } from "@kinora/domain/requests/ViewRequests"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { Viewing } from "./Viewing.ts"

/** Reports of viewers, under the present path and the two earlier ones. */
export const layer = apiGroup(
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
          const video = yield* access.openWatched(asked.params.id, viewer)
          yield* viewing.report(video, asked.payload, {
            user: viewer.user,
            address: Option.getOrElse(asked.request.remoteAddress, () => ""),
            userAgent: asked.request.headers["user-agent"]
          })
        })
      )

    return handlers.handleAll({
      addView: report,
      setVideoWatchingPost: report,
      setVideoWatching: report
    } satisfies Answers<"videoViews">)
  })
)
