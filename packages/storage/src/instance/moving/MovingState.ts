import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** An import that has begun did not finish. `message` says what to do. */
export class MovingUnfinished extends Data.TaggedError("MovingUnfinished")<{ readonly message: string }> {}

type MovingPhase = "rows" | "files" | "done"

/** The import into this database, if there was one: of which instance, and how far it came. */
export const movingState = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{
    readonly source: string
    readonly state: MovingPhase
  }>`select source, state from moving_in`
  return row
}).pipe(Effect.withSpan("MovingState.read"))

/** Begins an import of the instance with this digest. */
export const beginMoving = Effect.fn("MovingState.begin")(function* (source: string) {
  const sql = yield* SqlClient
  yield* sql`insert into moving_in (source) values (${source})`
})

/** Refuses a database that has a part of an instance only: nodes do not start over it. */
export const movingFinished = Effect.gen(function* () {
  const state = yield* movingState
  if (state === undefined || state.state === "done") return
  return yield* new MovingUnfinished({
    message:
      "An import of another instance into this database did not finish. Run `kinora import-peertube` again with the same source: it " +
      "goes on where it ended. To begin anew, empty the database and the folders."
  })
}).pipe(Effect.withSpan("MovingState.finished"))
