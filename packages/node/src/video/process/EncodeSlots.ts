import { Context, Effect, Layer, Semaphore } from "effect"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** Limits how many encodes this node runs at the same time, whatever their purpose (`transcoding.concurrency`). */
export class EncodeSlots extends Context.Service<
  EncodeSlots,
  {
    /** Waits for a free slot and holds it during the work. */
    readonly within: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@kinora/node/processing/EncodeSlots") {
  static readonly layer = Layer.effect(
    EncodeSlots,
    Effect.gen(function* () {
      const { concurrency } = yield* ProcessingSettings
      const semaphore = yield* Semaphore.make(concurrency)
      return EncodeSlots.of({ within: semaphore.withPermits(1) })
    })
  )
}
