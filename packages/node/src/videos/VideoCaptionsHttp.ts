import { Api } from "@kinora/domain/api/Api"
import { VideoParts } from "@kinora/storage/videos/access/VideoParts"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../http/Answer.ts"
import { presentedByViewer } from "./Asking.ts"
import { VideoAccess } from "./VideoAccess.ts"

/** Captions of videos. */
export const layer = HttpApiBuilder.group(
  Api,
  "videoCaptions",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const parts = yield* VideoParts

    return handlers.handleAll({
      getVideoCaptions: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            return jsonText(yield* parts.captions(video.id))
          })
        )
    })
  })
)
