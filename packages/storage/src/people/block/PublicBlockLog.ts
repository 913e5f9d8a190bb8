import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AutoMuteList } from "@kinora/domain/wire/BlocklistSubscription"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What moderators blocked by hand, as others read it. */
export class PublicBlockLog extends Context.Service<
  PublicBlockLog,
  {
    /** Up to so many actions since a time, the oldest first: one for each host and account, the last. */
    readonly since: (startDate: string, count: number) => Effect.Effect<AutoMuteList["actions"], DatabaseUnavailable>
  }
>()("@kinora/storage/people/block/PublicBlockLog") {
  static readonly layer = Layer.effect(
    PublicBlockLog,
    Effect.map(SqlClient, (sql) =>
      PublicBlockLog.of({
        since: Effect.fn("PublicBlockLog.since")(function* (startDate, count) {
          return yield* sql<AutoMuteList["actions"][number]>`
            select l.action as type, wire_time(l.created_at) as "createdAt",
              case when l.name = '' then l.host::text
                else l.name || '@' || coalesce(nullif(l.host::text, ''), wire_host(wire_origin())) end as target
            from blocklist_log l where l.created_at >= ${startDate}::text::timestamptz
            order by l.created_at, l.host, l.name limit ${count}`
        }, withDatabaseErrors)
      })
    )
  )
}
