import type { PgConnection } from "@effect/sql-pg/PgConnection"
import { Effect, Stream } from "effect"
import { DumpUnusable } from "./DumpHead.ts"

/** Lines for psql, and those that are no statements. */
const isStatement = (line: string): boolean => line !== "" && !line.startsWith("--") && !line.startsWith("\\")

/**
 * Runs the lines of a dump over a connection of its own, to a database that has the dump's tables. All of it or nothing: a
 * dump that is cut short, or whose rows do not fit, leaves the database as it was.
 */
export const loadDump = Effect.fn("LoadDump.load")(function* <E>(
  connection: PgConnection,
  lines: Stream.Stream<string, E>
) {
  let isWhole = false
  const load = Effect.gen(function* () {
    yield* lines.pipe(
      Stream.filter(isStatement),
      Stream.runForEach((line) => {
        isWhole = line === "commit;"
        // Each statement is there once: none is worth being prepared.
        return isWhole ? Effect.void : connection.query(line, [], false)
      })
    )
    if (!isWhole) return yield* new DumpUnusable({ message: "The dump of the database is cut short" })
    yield* connection.query("commit", [], false)
  })
  yield* Effect.onError(load, () => Effect.ignore(connection.query("rollback", [], false)))
})
