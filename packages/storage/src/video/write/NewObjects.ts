import { Data, Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { abandonObjects, intendObjects, type ObjectName } from "../../platform/objects/ObjectIntents.ts"

/** The video's files or its privacy changed after they were read: the work has to be repeated. */
export class FilesChanged extends Data.TaggedError("FilesChanged")<{ readonly videoId: number }> {}

/**
 * Runs work that stores these objects and then, in one transaction, puts them into use (`keepObjects`). They are on the
 * removal queue before the first exists, and due at once if the work fails: nothing is left over, wherever it ends.
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
        : Effect.ignore(withDatabaseErrors(abandonObjects(sql, objects)), {
            log: "Warn",
            message: "Files that are not needed could not be removed; the daily sweep does"
          })
    )
  )

/** Repeats work that found the video changed, a few times. If it changes each time, that is a defect. */
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
