import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isActorNamed } from "../actor/ActorNamed.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A channel, for decisions and changes. */
export interface ChannelRow {
  readonly id: number
  readonly actorId: number
  /** The account that owns it. */
  readonly accountId: number
  readonly name: string
  readonly displayName: string
  readonly isLocal: boolean
  /** Accounts that accepted to collaborate on it. */
  readonly collaborators: ReadonlyArray<number>
}

/** Channels, found by handle or row id. */
export class ChannelRows extends Context.Service<
  ChannelRows,
  {
    readonly byHandle: (handle: ActorHandle) => Effect.Effect<Option.Option<ChannelRow>, DatabaseUnavailable>
    readonly byId: (channelId: number) => Effect.Effect<Option.Option<ChannelRow>, DatabaseUnavailable>
    /** Whether an actor has an avatar (1) or a banner (2). */
    readonly hasPicture: (actorId: number, type: 1 | 2) => Effect.Effect<boolean, DatabaseUnavailable>
    /** How many channels an account has. */
    readonly countOf: (accountId: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/channels/ChannelRows") {
  static readonly layer = Layer.effect(
    ChannelRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const columns = sql`
        c.id, c.actor_id as "actorId", c.account_id as "accountId", a.preferred_username::text as name,
        c.display_name as "displayName", a.server_id is null as "isLocal",
        array(select k.account_id from video_channel_collaborator k where k.channel_id = c.id and k.state = 2) as collaborators`

      const byHandle = Effect.fn("ChannelRows.byHandle")(function* (handle: ActorHandle) {
        const rows = yield* sql<ChannelRow>`
          select ${columns} from actor a join video_channel c on c.actor_id = a.id where ${isActorNamed(sql, handle)}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const byId = Effect.fn("ChannelRows.byId")(function* (channelId: number) {
        const rows = yield* sql<ChannelRow>`
          select ${columns} from video_channel c join actor a on a.id = c.actor_id where c.id = ${channelId}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const countOf = Effect.fn("ChannelRows.countOf")(function* (accountId: number) {
        const rows = yield* sql<{ channels: number }>`
          select count(*) as channels from video_channel where account_id = ${accountId}
        `
        return rows[0]!.channels
      }, withDatabaseErrors)

      const hasPicture = Effect.fn("ChannelRows.hasPicture")(function* (actorId: number, type: 1 | 2) {
        const rows =
          yield* sql`select 1 from actor_image where actor_id = ${actorId} and type = ${type}::smallint limit 1`
        return rows.length > 0
      }, withDatabaseErrors)

      return ChannelRows.of({ byHandle, byId, hasPicture, countOf })
    })
  )
}
