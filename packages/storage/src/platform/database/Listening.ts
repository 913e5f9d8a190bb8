import type { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Payloads of PostgreSQL notifications on a channel. The first element, `ready`, means that they arrive from here on.
 * Fails when the connection is lost. The connection is outside the pool, because it is used permanently.
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
