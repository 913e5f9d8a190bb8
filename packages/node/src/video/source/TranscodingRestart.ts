import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoAlreadyBeingTranscoded, VideoChangeRefused, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { TranscodingOrder } from "@kinora/domain/requests/SourceRequests"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { transcodingJob } from "../process/ProcessingJobs.ts"

const refused = (reason: string) => new VideoChangeRefused({ reason })

/** Has videos transcoded again. */
export class TranscodingRestart extends Context.Service<
  TranscodingRestart,
  {
    /** Queues the job. Encodes in progress are in the way, unless the order forces it. */
    readonly request: (
      video: VideoFacts,
      order: typeof TranscodingOrder.Type
    ) => Effect.Effect<void, VideoNotFound | VideoAlreadyBeingTranscoded | VideoChangeRefused | DatabaseUnavailable>
  }
>()("@kinora/node/video/source/TranscodingRestart") {
  static readonly layer = Layer.effect(
    TranscodingRestart,
    Effect.gen(function* () {
      const { transcoding } = yield* KinoraConfig
      const requests = yield* TranscodingRequests

      const request = Effect.fn("TranscodingRestart.request")(function* (
        video: VideoFacts,
        { forceTranscoding, transcodingType }: typeof TranscodingOrder.Type
      ) {
        if (!transcoding.enabled) return yield* refused("This instance does not transcode")
        if (video.remote) return yield* refused("This video belongs to another instance")
        const job = transcodingJob({ videoId: video.id, only: transcodingType })
        switch (yield* requests.request(video.id, job, forceTranscoding ?? false)) {
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

      return TranscodingRestart.of({ request })
    })
  )
}
