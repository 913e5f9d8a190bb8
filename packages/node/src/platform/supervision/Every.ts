import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Duration, Effect } from "effect"
import { Supervisor } from "./Supervisor.ts"

/**
 * Repeats an effect forever. It waits while the database is unavailable. Other errors end the task, and the supervisor
 * restarts it.
 */
export const every = <E, R>(
  interval: Duration.Input,
  task: Effect.Effect<unknown, E | DatabaseUnavailable, R>
): Effect.Effect<never, Exclude<E, DatabaseUnavailable>, R> =>
  Effect.forever(
    Effect.andThen(
      Effect.catchIf(
        task,
        (error): error is DatabaseUnavailable => (error as { readonly _tag?: string })._tag === "DatabaseUnavailable",
        () => Effect.void
      ),
      Effect.sleep(interval)
    )
  ) as Effect.Effect<never, Exclude<E, DatabaseUnavailable>, R>

/** A supervised task that does its work now and then, and that `Supervisor.once` does in between by its name. */
export const periodic = Effect.fnUntraced(function* <E, R>(
  name: string,
  interval: Duration.Input,
  work: Effect.Effect<unknown, E | DatabaseUnavailable, R>
) {
  const supervisor = yield* Supervisor
  yield* supervisor.offer(name, work)
  yield* supervisor.run(name, every(interval, work))
})
