import { VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser, presentedByViewer } from "./Presented.ts"
import { VideoAccess } from "./VideoAccess.ts"
import { VideoFileRemoval } from "./VideoFileRemoval.ts"

/** Files of a video: what ffprobe said of one, and deleting them. */
export const layer = apiGroup(
  "videoFiles",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const parts = yield* VideoParts
    const removal = yield* VideoFileRemoval

    /** A video that the user sees. The right to delete its files is checked by the endpoints. */
    const seen = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      return { user: yield* CurrentUser, video: yield* access.open(id, yield* presentedByUser(request)) }
    })

    return handlers.handleAll({
      getVideoFileMetadata: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByViewer(request))
            const text = yield* parts.metadata(video.id, params.videoFileId)
            return Option.isNone(text) ? yield* new VideoFileNotFound() : jsonText(text.value)
          })
        ),
      delVideoHLS: ({ params, request }) => answer(Effect.flatMap(seen(params.id, request), removal.playlist)),
      delVideoHLSFile: ({ params, request }) =>
        answer(Effect.flatMap(seen(params.id, request), (video) => removal.playlistFile(video, params.videoFileId))),
      delVideoWebVideos: ({ params, request }) =>
        answer(Effect.flatMap(seen(params.id, request), (video) => removal.webVideos(video))),
      delVideoWebVideoFile: ({ params, request }) =>
        answer(Effect.flatMap(seen(params.id, request), (video) => removal.webVideo(video, params.videoFileId)))
    } satisfies Answers<"videoFiles">)
  })
)
