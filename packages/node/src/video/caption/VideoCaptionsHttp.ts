import { Api } from "@kinora/domain/api/Api"
import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { VideoAlreadyHasCaptions, VideoCaptionNotFound, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { VideoParts } from "@kinora/storage/video/access/VideoParts"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { presentedByViewer } from "../list/Asking.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { CaptionUpload } from "./CaptionUpload.ts"

/** Captions of videos. */
export const layer = HttpApiBuilder.group(
  Api,
  "videoCaptions",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const parts = yield* VideoParts
    const rows = yield* CaptionRows
    const uploads = yield* CaptionUpload

    return handlers.handleAll({
      getVideoCaptions: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            return jsonText(yield* parts.captions(video.id))
          })
        ),
      addVideoCaption: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            const text = yield* uploads.read(request)
            const stored = yield* rows.set(video.id, user.accountId, params.captionLanguage, text)
            if (!stored) return yield* new VideoNotFound()
          })
        ),
      delVideoCaption: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            const removed = yield* rows.remove(video.id, user.accountId, params.captionLanguage)
            if (!removed) return yield* new VideoCaptionNotFound()
          })
        ),
      generateVideoCaption: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            if (payload.forceTranscription !== true && (yield* rows.count(video.id)) > 0) {
              return yield* new VideoAlreadyHasCaptions()
            }
            return yield* new NotImplemented({ what: "writing down what is spoken" })
          })
        )
    })
  })
)
