import { Api } from "@kinora/domain/api/Api"
import {
  VideoAlreadyBeingTranscoded,
  VideoChangeRefused,
  VideoNotFound,
  VideoSourceNotFound
} from "@kinora/domain/errors/VideoErrors"
import { SourceReplacement } from "@kinora/storage/video/write/SourceReplacement"
import { TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"
import { transcodingJob } from "../process/ProcessingJobs.ts"
import { presentedByUser } from "../list/Asking.ts"
import { VideoAccess } from "../list/VideoAccess.ts"

const refused = (reason: string) => new VideoChangeRefused({ reason })

/** The file a video was made from, and making its renditions anew. */
export const layer = HttpApiBuilder.group(
  Api,
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
                return yield* refused("A video cannot lose the last file it could be made from")
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
                return yield* refused("A live is not transcoded anew")
              case "unready":
                return yield* refused("The video is not far enough to be transcoded")
              case "nothing":
                return yield* refused("No file is left that the video could be made from")
              case "missing":
                return yield* new VideoNotFound()
            }
          })
        )
    })
  })
).pipe(Layer.provide(Layer.merge(SourceReplacement.layer, TranscodingRequests.layer)))
