import { Context, Effect, Layer, Semaphore } from "effect"
import { ProcessingSettings } from "./ProcessingSettings.ts"

/** How many encodes this node runs at the same time, whatever asks for them (`transcoding.concurrency`). */
export class EncodeSlots extends Context.Service<
  EncodeSlots,
  {
    /** Waits for a free slot and holds it as long as the work goes on. */
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
