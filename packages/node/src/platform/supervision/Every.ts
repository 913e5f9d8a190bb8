import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type Duration, Effect } from "effect"

/** Repeats something for ever; while the database is away it waits, whatever else goes wrong is the supervisor's. */
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
