import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A report, as much as decides who is notified. */
export interface EventReport {
  readonly state: number
  /** Account of the reporter; null: it is gone. */
  readonly reporterId: number | null
  /** Null: the reporter is no user of this instance. */
  readonly reporterUserId: number | null
  /** The user whose things were reported, if that is a moderator and no administrator. */
  readonly flaggedModeratorId: number | null
}

/** A message about a report. */
export interface EventMessage extends EventReport {
  readonly abuseId: number
  readonly byModerator: boolean
  readonly authorId: number | null
  readonly authorUserId: number | null
}

/** What events about reports are decided by. Undefined stands for what is gone by now. */
export class AbuseEventRows extends Context.Service<
  AbuseEventRows,
  {
    readonly report: (abuseId: number) => Effect.Effect<EventReport | undefined, DatabaseUnavailable>
    readonly message: (messageId: number) => Effect.Effect<EventMessage | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/social/notification/AbuseEventRows") {
  static readonly layer = Layer.effect(
    AbuseEventRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(`b.state, b.reporter_account_id as "reporterId", r.user_id as "reporterUserId",
        (select u.id from app_user u where u.id = f.user_id and u.role = 1) as "flaggedModeratorId"`)
      const accounts = sql.literal(`left join account r on r.id = b.reporter_account_id
        left join account f on f.id = b.flagged_account_id`)

      return AbuseEventRows.of({
        report: Effect.fnUntraced(function* (abuseId: number) {
          const [row] = yield* sql<EventReport>`select ${columns} from abuse b ${accounts} where b.id = ${abuseId}`
          return row
        }, withDatabaseErrors),
        message: Effect.fnUntraced(function* (messageId: number) {
          const [row] = yield* sql<EventMessage>`
            select ${columns}, m.abuse_id as "abuseId", m.by_moderator as "byModerator", m.account_id as "authorId",
              w.user_id as "authorUserId"
            from abuse_message m join abuse b on b.id = m.abuse_id ${accounts} left join account w on w.id = m.account_id
            where m.id = ${messageId}`
          return row
        }, withDatabaseErrors)
      })
    })
  )
}
