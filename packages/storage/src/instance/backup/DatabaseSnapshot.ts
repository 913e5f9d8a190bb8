import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { version as program } from "@kinora/domain/Version"
import { DateTime, Effect, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { writeDump } from "../../platform/dump/DumpFile.ts"
import { DumpUnusable, type DumpHead } from "../../platform/dump/DumpHead.ts"
import { readApplied } from "../../platform/migrations/AppliedSchema.ts"
import { beginSnapshot, originOf } from "../../platform/migrations/Backup.ts"
import { holdRemovals } from "../../platform/objects/RemovalHold.ts"
import { namedObjects } from "../inventory/NamedObjects.ts"

/** A hold on every file that the database names, which lasts as long as the scope it was taken in. */
export interface DatabaseSnapshot {
  /**
   * Dumps the database to `dump`, and writes `<bucket>/<name>` of every object that a row of the dump names to `names`, a
   * line each. Answers the number of rows of each table, too.
   */
  readonly write: (
    dump: string,
    names: string
  ) => Effect.Effect<
    { readonly head: DumpHead; readonly rows: Readonly<Record<string, number>> },
    DumpUnusable | SqlError
  >
  /** Fails where the connection was lost, and with it the hold: files may have gone since. */
  readonly stillHeld: Effect.Effect<void, DumpUnusable>
}

const lost = () =>
  new DumpUnusable({
    message: "The connection to the database was lost during the backup: files may be missing from it. Start it again."
  })

/**
 * From now on no node removes an object: so all that the snapshot names is there, also what is renamed or deleted meanwhile.
 */
export const takeSnapshot = Effect.gen(function* () {
  const sql = yield* PgClient
  const connection = yield* PgConnection.make({ ...sql.config, applicationName: "kinora backup" })
  yield* holdRemovals(connection)
  const { steps } = yield* readApplied(sql)
  if (steps.length === 0)
    return yield* new DumpUnusable({ message: "There is nothing to back up: the database is empty." })

  const write = Effect.fn("DatabaseSnapshot.write")(function* (dump: string, names: string) {
    yield* beginSnapshot(connection)
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const head: DumpHead = { format: 1, program, createdAt, origin: yield* originOf(connection), schema: steps }
    const rows = yield* writeDump(connection, head, dump)
    const lines = connection.stream(namedObjects).pipe(
      Stream.map((row) => `${String(row["bucket"])}/${String(row["name"])}\n`),
      Stream.toAsyncIterable
    )
    yield* Effect.tryPromise({
      try: (signal) => pipeline(Readable.from(lines), createWriteStream(names, { mode: 0o600 }), { signal }),
      catch: (cause) =>
        new DumpUnusable({ message: `The files that the database names cannot be listed: ${String(cause)}` })
    })
    yield* connection.query("commit")
    return { head, rows }
  })
  const stillHeld = Effect.mapError(Effect.asVoid(connection.query("select 1")), lost)
  return { write, stillHeld } satisfies DatabaseSnapshot
}).pipe(Effect.withSpan("DatabaseSnapshot.take"))
