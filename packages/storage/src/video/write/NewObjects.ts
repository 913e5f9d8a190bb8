import { Data, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { abandonObjects, intendObjects, type ObjectName } from "../../platform/objects/ObjectIntents.ts"

/** Somebody changed the video's files or its privacy after they were looked at: to be begun again. */
export class FilesChanged extends Data.TaggedError("FilesChanged")<{ readonly videoId: number }> {}

/**
 * Runs work that stores these objects and then, in one transaction, puts them in use (`keepObjects`). They are on the
 * removal queue before the first exists, and due at once when the work fails: nothing is left over, wherever it ends.
 */
export const usingNewObjects = <A, E, R>(
  sql: SqlClient,
  objects: ReadonlyArray<ObjectName>,
  work: Effect.Effect<A, E, R>
) =>
  Effect.andThen(
    withDatabaseErrors(intendObjects(sql, objects)),
    Effect.onExit(work, (exit) =>
      Exit.isSuccess(exit)
        ? Effect.void
        : Effect.ignore(withDatabaseErrors(abandonObjects(sql, objects)), { log: "Warn" })
    )
  )

/** Begins work again that found the video changed, a few times; that it is changed each time is a defect. */
export const again = <A, E, R>(
  work: Effect.Effect<A, E | FilesChanged, R>
): Effect.Effect<A, Exclude<E, FilesChanged>, R> =>
  work.pipe(
    Effect.retry({ while: (error) => error instanceof FilesChanged, times: 10 }),
    Effect.catchIf(
      (error): error is E & FilesChanged => error instanceof FilesChanged,
      (error) => Effect.die(error)
    )
  ) as Effect.Effect<A, Exclude<E, FilesChanged>, R>
