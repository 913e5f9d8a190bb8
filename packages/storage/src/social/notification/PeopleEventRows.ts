import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** An account and the user whose it is; null: of another instance. */
export interface EventParty {
  readonly accountId: number
  readonly userId: number | null
}

/** Two accounts, one of which asked the other for something. */
export interface EventParties {
  /** 1: it waits for the answer. */
  readonly state: number
  readonly asking: EventParty
  readonly asked: EventParty
}

/** Parties of a change of owner. */
export interface OwnershipParties extends EventParties {
  /** Null: a channel changes its owner. */
  readonly videoId: number | null
}

/** What events about people are decided by. Undefined stands for what is gone by now. */
export class PeopleEventRows extends Context.Service<
  PeopleEventRows,
  {
    readonly accountOf: (userId: number) => Effect.Effect<number | undefined, DatabaseUnavailable>
    /** Whether a request for an account waits. */
    readonly isPending: (registrationId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly collaboration: (collaboratorId: number) => Effect.Effect<EventParties | undefined, DatabaseUnavailable>
    readonly ownership: (changeId: number) => Effect.Effect<OwnershipParties | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/PeopleEventRows") {
  static readonly layer = Layer.effect(
    PeopleEventRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      interface PartyColumns {
        readonly state: number
        readonly askingId: number
        readonly askingUserId: number | null
        readonly askedId: number
        readonly askedUserId: number | null
      }
      const partiesOf = (row: PartyColumns): EventParties => ({
        state: row.state,
        asking: { accountId: row.askingId, userId: row.askingUserId },
        asked: { accountId: row.askedId, userId: row.askedUserId }
      })

      return PeopleEventRows.of({
        accountOf: Effect.fnUntraced(function* (userId: number) {
          const [row] = yield* sql<{ id: number }>`select id from account where user_id = ${userId}`
          return row?.id
        }, withDatabaseErrors),
        isPending: Effect.fnUntraced(function* (registrationId: number) {
          const rows = yield* sql`select 1 from user_registration where id = ${registrationId} and state = 1`
          return rows.length > 0
        }, withDatabaseErrors),
        collaboration: Effect.fnUntraced(function* (collaboratorId: number) {
          const [row] = yield* sql<PartyColumns>`
            select k.state, o.id as "askingId", o.user_id as "askingUserId", a.id as "askedId", a.user_id as "askedUserId"
            from video_channel_collaborator k join account a on a.id = k.account_id
              join video_channel c on c.id = k.channel_id join account o on o.id = c.account_id
            where k.id = ${collaboratorId}`
          return row === undefined ? undefined : partiesOf(row)
        }, withDatabaseErrors),
        ownership: Effect.fnUntraced(function* (changeId: number) {
          const [row] = yield* sql<PartyColumns & { videoId: number | null }>`
            select o.state, i.id as "askingId", i.user_id as "askingUserId", n.id as "askedId", n.user_id as "askedUserId",
              o.video_id as "videoId"
            from ownership_change o join account i on i.id = o.initiator_account_id
              join account n on n.id = o.next_owner_account_id
            where o.id = ${changeId}`
          return row === undefined ? undefined : { ...partiesOf(row), videoId: row.videoId }
        }, withDatabaseErrors)
      })
    })
  )
}
