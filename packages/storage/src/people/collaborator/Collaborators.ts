import { collaboratorStateLabels } from "@kinora/domain/enums/CollaboratorState"
import { labelled } from "@kinora/domain/enums/Labelled"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoChannelCollaborator } from "@kinora/domain/wire/Collaborator"
import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorSummary } from "../actor/ActorJson.ts"
import { actorRows } from "../actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A collaborator of a channel. state: 1 invited, 2 accepted, 3 declined. */
export interface CollaboratorRow {
  readonly id: number
  readonly accountId: number
  readonly state: number
}

/**
 * Result of an invitation: its JSON text (contract: VideoChannelCollaborator); `known` if the account was already
 * invited or accepted, `full` if the channel has reached its limit, `gone` if the channel or the account was deleted,
 * or the account has become the owner.
 */
export type Invitation =
  | { readonly _tag: "Invited"; readonly json: Json<VideoChannelCollaborator> }
  | { readonly _tag: "Refused"; readonly why: "known" | "full" | "gone" }

type Page = { readonly total: number; readonly data: ReadonlyArray<VideoChannelCollaborator> }

interface InvitedRow {
  readonly id: number
  readonly actorId: number
  readonly state: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Collaborators of channels. Declined invitations are stored but not listed. */
export class Collaborators extends Context.Service<
  Collaborators,
  {
    /**
     * `{"total":…,"data":[…]}` as JSON text, oldest first, of invited and accepted collaborators; `only` limits it to
     * one account.
     */
    readonly list: (
      channelId: number,
      only: number | null
    ) => Effect.Effect<JsonPage<VideoChannelCollaborator>, DatabaseUnavailable>
    readonly find: (
      channelId: number,
      collaboratorId: number
    ) => Effect.Effect<Option.Option<CollaboratorRow>, DatabaseUnavailable>
    /** Whether the account is invited or a collaborator of the channel. */
    readonly knows: (channelId: number, accountId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Declined invitations may be repeated. */
    readonly invite: (
      channelId: number,
      accountId: number,
      atMost: number
    ) => Effect.Effect<Invitation, DatabaseUnavailable>
    /** False if the invitation is no longer pending. */
    readonly answer: (collaboratorId: number, accepts: boolean) => Effect.Effect<boolean, DatabaseUnavailable>
    /** False if there was nothing to remove. */
    readonly remove: (collaboratorId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/collaborators/Collaborators") {
  static readonly layer = Layer.effect(
    Collaborators,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const columns = sql`
        k.id, a.actor_id as "actorId", k.state, wire_time(k.created_at) as "createdAt",
        wire_time(k.updated_at) as "updatedAt"
        from video_channel_collaborator k join account a on a.id = k.account_id`

      const collaborators = Effect.fnUntraced(function* (rows: ReadonlyArray<InvitedRow>) {
        const actors = yield* actorRows(
          sql,
          rows.map(({ actorId }) => actorId)
        )
        return rows.flatMap(({ actorId, createdAt, id, state, updatedAt }) => {
          const actor = actors.get(actorId)
          if (actor === undefined) return []
          const account = actorSummary(actor)
          return [{ id, account, state: labelled(state, collaboratorStateLabels), createdAt, updatedAt }]
        })
      })

      const list = Effect.fn("Collaborators.list")(function* (channelId: number, only: number | null) {
        const data = yield* collaborators(
          yield* sql<InvitedRow>`
            select ${columns} where k.channel_id = ${channelId} and k.state <> 3
              and (${only}::integer is null or k.account_id = ${only}::integer)
            order by k.created_at, k.id`
        )
        return toJson<Page>({ total: data.length, data })
      }, withDatabaseErrors)

      const find = Effect.fn("Collaborators.find")(function* (channelId: number, collaboratorId: number) {
        const rows = yield* sql<CollaboratorRow>`
          select id, account_id as "accountId", state from video_channel_collaborator
          where id = ${collaboratorId} and channel_id = ${channelId}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const knows = Effect.fn("Collaborators.knows")(function* (channelId: number, accountId: number) {
        const rows = yield* sql`
          select 1 from video_channel_collaborator
          where channel_id = ${channelId} and account_id = ${accountId} and state <> 3
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const refused = (why: "known" | "full" | "gone"): Invitation => ({ _tag: "Refused", why })

      const invite = Effect.fn("Collaborators.invite")(
        function* (channelId: number, accountId: number, atMost: number) {
          const account = yield* sql`select id from account where id = ${accountId} for key share`
          if (account.length === 0) return refused("gone")
          // Invitations to one channel are serialised: otherwise two could both take the last place.
          const [channel] = yield* sql<{ accountId: number }>`
            select account_id as "accountId" from video_channel where id = ${channelId} for no key update
          `
          if (channel === undefined || channel.accountId === accountId) return refused("gone")
          const [others] = yield* sql<{ count: number; known: boolean | null }>`
            select count(*) as count, bool_or(account_id = ${accountId}) as known
            from video_channel_collaborator where channel_id = ${channelId} and state <> 3
          `
          if (others!.known === true) return refused("known")
          if (others!.count >= atMost) return refused("full")
          const [made] = yield* sql<{ id: number }>`
            insert into video_channel_collaborator (channel_id, account_id) values (${channelId}, ${accountId})
            on conflict (channel_id, account_id) do update set state = 1, created_at = now(), updated_at = now()
            returning id
          `
          const [invited] = yield* collaborators(yield* sql<InvitedRow>`select ${columns} where k.id = ${made!.id}`)
          return { _tag: "Invited", json: toJson<VideoChannelCollaborator>(invited!) } satisfies Invitation
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const answer = Effect.fn("Collaborators.answer")(function* (collaboratorId: number, accepts: boolean) {
        const rows = yield* sql`
          update video_channel_collaborator set state = ${accepts ? 2 : 3}, updated_at = now()
          where id = ${collaboratorId} and state = 1 returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      const remove = Effect.fn("Collaborators.remove")(function* (collaboratorId: number) {
        const rows = yield* sql`
          delete from video_channel_collaborator where id = ${collaboratorId} and state <> 3 returning id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      return Collaborators.of({ list, find, knows, invite, answer, remove })
    })
  )
}
