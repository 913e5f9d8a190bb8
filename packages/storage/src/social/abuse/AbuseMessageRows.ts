import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A message about a report. */
export interface AbuseMessageFacts {
  readonly id: number
  /** Who wrote it; null: that account is gone. */
  readonly accountId: number | null
  readonly byModerator: boolean
  readonly message: string
}

/** Single messages about reports. */
export class AbuseMessageRows extends Context.Service<
  AbuseMessageRows,
  {
    /** None: the report has no such message. */
    readonly facts: (
      abuseId: number,
      messageId: number
    ) => Effect.Effect<Option.Option<AbuseMessageFacts>, DatabaseUnavailable>
    /** Answers the id of the message. */
    readonly add: (message: {
      readonly abuseId: number
      readonly accountId: number
      readonly byModerator: boolean
      readonly message: string
    }) => Effect.Effect<number, DatabaseUnavailable>
    readonly remove: (messageId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/social/abuse/AbuseMessageRows") {
  static readonly layer = Layer.effect(
    AbuseMessageRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return AbuseMessageRows.of({
        facts: Effect.fnUntraced(function* (abuseId, messageId) {
          const rows = yield* sql<AbuseMessageFacts>`
            select id, account_id as "accountId", by_moderator as "byModerator", message from abuse_message
            where id = ${messageId} and abuse_id = ${abuseId}`
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors),
        add: Effect.fn("AbuseMessageRows.add")(function* ({ abuseId, accountId, byModerator, message }) {
          const rows = yield* sql<{ id: number }>`
            insert into abuse_message (abuse_id, account_id, by_moderator, message)
            values (${abuseId}, ${accountId}, ${byModerator}, ${message}) returning id`
          return rows[0]!.id
        }, withDatabaseErrors),
        remove: Effect.fn("AbuseMessageRows.remove")(function* (messageId) {
          yield* sql`delete from abuse_message where id = ${messageId}`
        }, withDatabaseErrors)
      })
    })
  )
}
