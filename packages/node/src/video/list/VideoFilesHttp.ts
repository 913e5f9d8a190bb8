import { VideoChangeRefused, VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { HlsFileDeletion } from "@kinora/storage/video/write/HlsFileDeletion"
import { type FilesRemoval, VideoDeletion } from "@kinora/storage/video/write/VideoDeletion"
import { Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { ByteServing } from "../../platform/http/ByteServing.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByUser, presentedByViewer } from "./Presented.ts"
import { VideoAccess } from "./VideoAccess.ts"

/** What is deleted is gone when the answer says so. */
const outcomeAfter = (settle: Effect.Effect<void, DatabaseUnavailable>) => (removal: FilesRemoval) => {
  switch (removal) {
    case "removed":
      return settle
    case "missing":
      return Effect.fail(new VideoFileNotFound())
    case "last":
      return Effect.fail(
        new VideoChangeRefused({ reason: "The last files a video can be played from cannot be deleted" })
      )
  }
}

/** Files of a video: what ffprobe said of one, and deleting them. */
export const layer = apiGroup(
  "videoFiles",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const parts = yield* VideoParts
    const deletion = yield* VideoDeletion
    const hlsFiles = yield* HlsFileDeletion
    const { settle } = yield* Removals
    const { forgetAll } = yield* ByteServing
    const outcome = outcomeAfter(Effect.tap(settle, () => Effect.sync(forgetAll)))

    /** The video of a request whose user has the right the endpoints name. */
    const managed = Effect.fnUntraced(function* (id: VideoIdOrUuid, request: HttpServerRequest) {
      return yield* access.open(id, yield* presentedByUser(request))
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
      delVideoHLS: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* managed(params.id, request)
            yield* outcome(yield* deletion.playlist(video.id))
          })
        ),
      delVideoHLSFile: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* managed(params.id, request)
            const removal = yield* hlsFiles.remove(video.id, params.videoFileId)
            // The last variant goes with its playlist, where web videos are left to play.
            yield* outcome(removal === "only" ? yield* deletion.playlist(video.id) : removal)
          })
        ),
      delVideoWebVideos: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* managed(params.id, request)
            yield* outcome(yield* deletion.webVideos(video.id, null))
          })
        ),
      delVideoWebVideoFile: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* managed(params.id, request)
            yield* outcome(yield* deletion.webVideos(video.id, params.videoFileId))
          })
        )
    } satisfies Answers<"videoFiles">)
  })
).pipe(Layer.provide(HlsFileDeletion.layer))
