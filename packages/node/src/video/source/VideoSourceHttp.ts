import {
  VideoAlreadyBeingTranscoded,
  VideoChangeRefused,
  VideoNotFound,
  VideoSourceNotFound
} from "@kinora/domain/errors/VideoErrors"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { transcodingJob } from "../process/ProcessingJobs.ts"
import { presentedByUser } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"

const refused = (reason: string) => new VideoChangeRefused({ reason })

/** The source file of a video, and transcoding it again. */
export const layer = apiGroup(
  "videoSource",
  Effect.fnUntraced(function* (handlers) {
    const { transcoding } = yield* KinoraConfig
    const access = yield* VideoAccess
    const sources = yield* SourceReplacement
    const requests = yield* TranscodingRequests

    return handlers.handleAll({
      deleteVideoSourceFile: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByUser(request))
            switch (yield* sources.removeFile(video.id)) {
              case "removed":
                return
              case "missing":
                return yield* new VideoSourceNotFound()
              case "working":
                return yield* new VideoAlreadyBeingTranscoded()
              case "last":
                return yield* refused("The last file a video can be transcoded from cannot be deleted")
            }
          })
        ),
      createVideoTranscoding: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* access.open(params.id, yield* presentedByUser(request))
            if (!transcoding.enabled) return yield* refused("This instance does not transcode")
            if (video.remote) return yield* refused("This video belongs to another instance")
            const job = transcodingJob({ videoId: video.id, only: payload.transcodingType })
            switch (yield* requests.request(video.id, job, payload.forceTranscoding ?? false)) {
              case "queued":
                return
              case "working":
                return yield* new VideoAlreadyBeingTranscoded()
              case "live":
                return yield* refused("A live video is not transcoded again")
              case "unready":
                return yield* refused("The video has not been processed far enough to be transcoded")
              case "nothing":
                return yield* refused("No file is left that the video could be transcoded from")
              case "missing":
                return yield* new VideoNotFound()
            }
          })
        )
    } satisfies Answers<"videoSource">)
  })
).pipe(Layer.provide(Layer.merge(SourceReplacement.layer, TranscodingRequests.layer)))
