import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/Database.ts"
import { actorWire, type PublicAddress } from "./ActorWire.ts"

/** An account or a channel: its row id, and JSON text as clients read it. */
export interface ActorText {
  readonly id: number
  readonly json: string
}

/** Accounts and channels, local and remote, by handle. */
export class Actors extends Context.Service<
  Actors,
  {
    readonly account: (handle: ActorHandle) => Effect.Effect<Option.Option<ActorText>, DatabaseUnavailable>
    readonly channel: (handle: ActorHandle) => Effect.Effect<Option.Option<ActorText>, DatabaseUnavailable>
  }
>()("@kinora/storage/actors/Actors") {
  static readonly layer = (address: PublicAddress): Layer.Layer<Actors, never, SqlClient> =>
    Layer.effect(
      Actors,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const wire = actorWire(sql, address)
        const isLocal = (handle: ActorHandle) => handle.host === null || handle.host === address.host

        const account = Effect.fnUntraced(function* (handle: ActorHandle) {
          const rows = yield* sql<ActorText>`
            select a.id, ${wire.account}::text as json
            from actor aa
            join account a on a.actor_id = aa.id
            left join server sa on sa.id = aa.server_id
            where aa.preferred_username = ${handle.name}::citext
              and ${isLocal(handle) ? sql`aa.server_id is null` : sql`sa.host = ${handle.host}::citext`}
          `
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors)

        const channel = Effect.fnUntraced(function* (handle: ActorHandle) {
          const rows = yield* sql<ActorText>`
            select c.id, ${wire.channel}::text as json
            from actor ac
            join video_channel c on c.actor_id = ac.id
            left join server sc on sc.id = ac.server_id
            join account a on a.id = c.account_id
            join actor aa on aa.id = a.actor_id
            left join server sa on sa.id = aa.server_id
            where ac.preferred_username = ${handle.name}::citext
              and ${isLocal(handle) ? sql`ac.server_id is null` : sql`sc.host = ${handle.host}::citext`}
          `
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors)

        return Actors.of({ account, channel })
      })
    )
}
