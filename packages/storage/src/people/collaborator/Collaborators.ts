import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Somebody who was asked to work on a channel. state: 1 invited, 2 accepted, 3 declined. */
export interface CollaboratorRow {
  readonly id: number
  readonly accountId: number
  readonly state: number
}

/**
 * What became of an invitation: its JSON text (contract: VideoChannelCollaborator); `known` when the account has one
 * that waits or was accepted, `full` when the channel has as many as it may, `gone` when there is no channel or no account any
 * more, or the account owns it by now.
 */
export type Invitation =
  | { readonly _tag: "Invited"; readonly json: string }
  | { readonly _tag: "Refused"; readonly why: "known" | "full" | "gone" }

/** Who works on channels besides their owners. Those who declined are remembered and not listed. */
export class Collaborators extends Context.Service<
  Collaborators,
  {
    /**
     * `{"total":…,"data":[…]}` as JSON text, oldest first, of those who were invited or accepted; `only` of one account.
     */
    readonly list: (channelId: number, only: number | null) => Effect.Effect<string, DatabaseUnavailable>
    readonly find: (
      channelId: number,
      collaboratorId: number
    ) => Effect.Effect<Option.Option<CollaboratorRow>, DatabaseUnavailable>
    /** Whether the account was invited or works on the channel. */
    readonly knows: (channelId: number, accountId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Who declined may be asked again. */
    readonly invite: (
      channelId: number,
      accountId: number,
      atMost: number
    ) => Effect.Effect<Invitation, DatabaseUnavailable>
    /** False when the invitation waits no more. */
    readonly answer: (collaboratorId: number, accepts: boolean) => Effect.Effect<boolean, DatabaseUnavailable>
    /** False when there was nothing to remove. */
    readonly remove: (collaboratorId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/collaborators/Collaborators") {
  static readonly layer = Layer.effect(
    Collaborators,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const list = Effect.fn("Collaborators.list")(function* (channelId: number, only: number | null) {
        const rows = yield* sql<{ body: string }>`
          select json_build_object(
            'total', count(*), 'data', coalesce(json_agg(wire_collaborator(id) order by created_at, id), '[]')
          )::text as body
          from video_channel_collaborator
          where channel_id = ${channelId} and state <> 3 and (${only}::integer is null or account_id = ${only}::integer)
        `
        return rows[0]!.body
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
          // Invitations to one channel wait for each other, or two could take the last place.
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
          const [row] = yield* sql<{ json: string }>`select wire_collaborator(${made!.id})::text as json`
          return { _tag: "Invited", json: row!.json } satisfies Invitation
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
