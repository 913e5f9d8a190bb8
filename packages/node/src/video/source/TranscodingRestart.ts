import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoAlreadyBeingTranscoded, VideoChangeRefused, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { TranscodingOrder } from "@kinora/domain/requests/SourceRequests"
import { type TranscodingRequest, TranscodingRequests } from "@kinora/storage/video/write/TranscodingRequests"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Changed, VideoActs } from "../list/VideoActs.ts"
import { transcodingJob } from "../process/ProcessingJobs.ts"

const refused = (reason: string) => new VideoChangeRefused({ reason })

/** Has videos transcoded again. */
export class TranscodingRestart extends Context.Service<
  TranscodingRestart,
  {
    /** Queues the job. Encodes in progress are in the way, unless the order forces it. */
    readonly request: (
      changed: Changed,
      order: typeof TranscodingOrder.Type
    ) => Effect.Effect<void, VideoNotFound | VideoAlreadyBeingTranscoded | VideoChangeRefused | DatabaseUnavailable>
  }
>()("@kinora/node/video/source/TranscodingRestart") {
  static readonly layer = Layer.effect(
    TranscodingRestart,
    Effect.gen(function* () {
      const { transcoding } = yield* KinoraConfig
      const requests = yield* TranscodingRequests
      const acts = yield* VideoActs

      const settle = (outcome: TranscodingRequest) => {
        switch (outcome) {
          case "queued":
            return Effect.void
          case "working":
            return Effect.fail(new VideoAlreadyBeingTranscoded())
          case "live":
            return Effect.fail(refused("A live video is not transcoded again"))
          case "unready":
            return Effect.fail(refused("The video has not been processed far enough to be transcoded"))
          case "nothing":
            return Effect.fail(refused("No file is left that the video could be transcoded from"))
          case "missing":
            return Effect.fail(new VideoNotFound())
        }
      }

      const request = Effect.fn("TranscodingRestart.request")(function* (
        changed: Changed,
        { forceTranscoding = false, transcodingType }: typeof TranscodingOrder.Type
      ) {
        const { video } = changed
        if (!transcoding.enabled) return yield* refused("This instance does not transcode")
        if (video.remote) return yield* refused("This video belongs to another instance")
        const job = transcodingJob({ videoId: video.id, only: transcodingType })
        const details = { transcodingType, forceTranscoding }
        const around = acts.byRight(changed, { action: "transcode", details, withoutValues: true })
        yield* around(
          Effect.flatMap(
            requests.request(video.id, job, forceTranscoding),
            (outcome): Effect.Effect<void, Effect.Error<ReturnType<typeof settle>>> => settle(outcome)
          )
        )
      })

      return TranscodingRestart.of({ request })
    })
  )
}
