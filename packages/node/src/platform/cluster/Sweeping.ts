import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Duration, Effect, Queue, type Scope, Stream } from "effect"
import { Placement } from "./Placement.ts"

/** Notifies whenever this node may have got entities of others. */
export const wakeWhenGained = (wakeups: Queue.Queue<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(Placement, ({ gained }) =>
    Effect.asVoid(Effect.forkScoped(Stream.runForEach(gained, () => Queue.offer(wakeups, undefined))))
  )

/** Looks for what is due, for ever: at each interval, and at once when this node may have got entities of others. */
export const sweeping = (
  interval: Duration.Input,
  sweep: Effect.Effect<unknown, DatabaseUnavailable>
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const wakeups = yield* Queue.sliding<void>(1)
    yield* wakeWhenGained(wakeups)
    return yield* sweep.pipe(
      Effect.catchTag("DatabaseUnavailable", () => Effect.void),
      Effect.andThen(Effect.timeoutOption(Queue.take(wakeups), interval)),
      Effect.forever
    )
  })
