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
      const settings = yield* ProcessingSettings
      let slots = settings.concurrency
      const semaphore = yield* Semaphore.make(slots)
      const fit = Effect.suspend(() => {
        if (slots === settings.concurrency) return Effect.void
        slots = settings.concurrency
        return semaphore.resize(slots)
      })
      return EncodeSlots.of({ within: (work) => Effect.andThen(fit, semaphore.withPermits(1)(work)) })
    })
  )
}
