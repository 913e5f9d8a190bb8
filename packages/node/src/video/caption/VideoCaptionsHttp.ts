import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { Effect } from "effect"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { withPictures } from "../list/PictureAddresses.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { namedBy } from "../list/VideoVisibility.ts"
import { CaptionUpload } from "./CaptionUpload.ts"
import { VideoCaptions } from "./VideoCaptions.ts"

/** The endpoints of video captions. */
export const layer = apiGroup(
  "videoCaptions",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const parts = yield* VideoParts
    const captions = yield* VideoCaptions
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
            const opened = yield* editable.open(params.id, request)
            yield* captions.set(opened, params.captionLanguage, yield* uploads.read(request))
          })
        ),
      delVideoCaption: ({ params, request }) =>
        answer(
          Effect.flatMap(editable.open(params.id, request), (opened) => captions.remove(opened, params.captionLanguage))
        ),
      generateVideoCaption: ({ params, payload, request }) =>
        answer(
          Effect.flatMap(editable.open(params.id, request), ({ video }) =>
            captions.generate(video, payload.forceTranscription === true)
          )
        )
    } satisfies Answers<"videoCaptions">)
  })
)
