import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Payloads of what PostgreSQL tells on a channel, after `ready`, which says that it does from here on. Ends with an error
 * when the connection is lost. The connection is beside the pool: one of the pool's would be missing for as long as
 * anybody listens.
 */
export const listening = <A>(sql: PgClient, channel: string, ready: A): Stream.Stream<string | A, SqlError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const connection = yield* PgConnection.make(sql.config)
      const notices = yield* connection.listen(channel)
      const payloads = Stream.map(Stream.fromQueue(notices), ({ payload }) => payload)
      return Stream.concat(Stream.make(ready), payloads)
    })
  )
