import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AbuseMessages } from "@kinora/domain/wire/Abuse"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorSummary } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

interface MessageRow {
  readonly id: number
  readonly message: string
  readonly byModerator: boolean
  readonly createdAt: string
  readonly actorId: number | null
}

/** What the reporter and the moderators wrote about a report. */
export class AbuseMessageLists extends Context.Service<
  AbuseMessageLists,
  {
    /** All messages about a report, the oldest first. */
    readonly of: (abuseId: number) => Effect.Effect<AbuseMessages, DatabaseUnavailable>
  }
>()("@kinora/storage/social/abuse/AbuseMessageLists") {
  static readonly layer = Layer.effect(
    AbuseMessageLists,
    Effect.map(SqlClient, (sql) =>
      AbuseMessageLists.of({
        of: Effect.fn("AbuseMessageLists.of")(function* (abuseId: number) {
          const rows = yield* sql<MessageRow>`
            select m.id, m.message, m.by_moderator as "byModerator", wire_time(m.created_at) as "createdAt",
              o.actor_id as "actorId"
            from abuse_message m left join account o on o.id = m.account_id
            where m.abuse_id = ${abuseId} order by m.id`
          const actorIds = new Set(rows.flatMap(({ actorId }) => actorId ?? []))
          const actors = yield* actorRows(sql, [...actorIds])
          const data = rows.map(({ actorId, byModerator, createdAt, id, message }) => {
            const actor = actorId === null ? undefined : actors.get(actorId)
            return { id, message, byModerator, createdAt, account: actor === undefined ? null : actorSummary(actor) }
          })
          return { total: data.length, data }
        }, withDatabaseErrors)
      })
    )
  )
}
