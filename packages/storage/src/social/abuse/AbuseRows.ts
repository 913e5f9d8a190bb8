import type { AbuseState } from "@kinora/domain/enums/AbuseState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A report, as much as decides who may do what with it. */
export interface AbuseFacts {
  readonly id: number
  readonly state: AbuseState
  readonly moderationComment: string | null
  /** Null: their account is gone. */
  readonly reporterId: number | null
  /** Whether the reporter is a user of this instance. */
  readonly reportedHere: boolean
  /** Whose the reported thing is; null: that account is gone. */
  readonly flaggedAccountId: number | null
  readonly messages: number
}

/** What moderators change of a report. Undefined keeps the value. */
export interface AbuseChange {
  readonly state?: AbuseState | undefined
  readonly moderationComment?: string | null | undefined
}

/** Single reports, for those who decide on them. */
export class AbuseRows extends Context.Service<
  AbuseRows,
  {
    readonly facts: (abuseId: number) => Effect.Effect<Option.Option<AbuseFacts>, DatabaseUnavailable>
    /** The same, and nobody else changes it until the caller's transaction ends. */
    readonly lock: (abuseId: number) => Effect.Effect<Option.Option<AbuseFacts>, DatabaseUnavailable>
    readonly update: (abuseId: number, change: AbuseChange) => Effect.Effect<void, DatabaseUnavailable>
    /** Its messages and notifications go with it. */
    readonly remove: (abuseId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/social/abuse/AbuseRows") {
  static readonly layer = Layer.effect(
    AbuseRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const facts = Effect.fnUntraced(function* (abuseId: number) {
        const rows = yield* sql<AbuseFacts>`
          select b.id, b.state, b.moderation_comment as "moderationComment", b.reporter_account_id as "reporterId",
            r.user_id is not null as "reportedHere", b.flagged_account_id as "flaggedAccountId",
            (select count(*) from abuse_message m where m.abuse_id = b.id)::integer as messages
          from abuse b left join account r on r.id = b.reporter_account_id where b.id = ${abuseId}`
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      return AbuseRows.of({
        facts,
        lock: Effect.fnUntraced(function* (abuseId) {
          yield* sql`select 1 from abuse where id = ${abuseId} for no key update`
          return yield* facts(abuseId)
        }, withDatabaseErrors),
        update: Effect.fn("AbuseRows.update")(function* (abuseId, { moderationComment, state }) {
          yield* sql`
            update abuse set updated_at = now(), state = coalesce(${state ?? null}::smallint, state),
              moderation_comment = case when ${moderationComment === undefined} then moderation_comment
                else ${moderationComment ?? null}::text end,
              processed_at = case when coalesce(${state ?? null}::smallint, 1) = 1 then processed_at
                else coalesce(processed_at, now()) end
            where id = ${abuseId}`
        }, withDatabaseErrors),
        remove: Effect.fn("AbuseRows.remove")(function* (abuseId) {
          yield* sql`delete from abuse where id = ${abuseId}`
        }, withDatabaseErrors)
      })
    })
  )
}
