import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Until somebody waits for what the caller's transaction holds. */
export const somebodyWaits = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ waits: boolean }>`
    select exists (
      select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))
    ) as waits`
  return rows[0]!.waits
}).pipe(Effect.repeat({ until: (waits) => waits }))
