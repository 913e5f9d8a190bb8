import { NotImplemented } from "@kinora/domain/errors/RequestErrors"
import { VideoAlreadyHasCaptions, VideoCaptionNotFound, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { CaptionRows } from "@kinora/storage/video/caption/CaptionRows"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { withPictures } from "../list/PictureAddresses.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { namedBy } from "../list/VideoVisibility.ts"
import { CaptionUpload } from "./CaptionUpload.ts"

/** The endpoints of video captions. */
export const layer = apiGroup(
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
            const asked = yield* presentedByViewer(request)
            const video = yield* access.open(params.id, asked)
            const token = yield* access.pictureToken(video, asked, namedBy(params.id))
            return jsonText(withPictures(yield* parts.captions(video.id), token))
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
            return yield* new NotImplemented({ what: "transcription" })
          })
        )
    } satisfies Answers<"videoCaptions">)
  })
)
