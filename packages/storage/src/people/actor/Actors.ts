import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { isActorNamed } from "./ActorNamed.ts"

/** An account or a channel: its row id, and JSON text as clients read it. */
export interface ActorText {
  readonly id: number
  readonly json: string
}

/** Accounts and channels, local and remote, by handle; a host that is our own means a local one. */
export class Actors extends Context.Service<
  Actors,
  {
    readonly account: (handle: ActorHandle) => Effect.Effect<Option.Option<ActorText>, DatabaseUnavailable>
    readonly channel: (handle: ActorHandle) => Effect.Effect<Option.Option<ActorText>, DatabaseUnavailable>
  }
>()("@kinora/storage/actors/Actors") {
  static readonly layer = Layer.effect(
    Actors,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const named = (handle: ActorHandle) => isActorNamed(sql, handle)

      const account = Effect.fnUntraced(function* (handle: ActorHandle) {
        const rows = yield* sql<ActorText>`
          select c.id, coalesce(w.wire, wire_account(c.id)) as json
          from actor a join account c on c.actor_id = a.id left join actor_wire w on w.actor_id = a.id
          where ${named(handle)}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      const channel = Effect.fnUntraced(function* (handle: ActorHandle) {
        const rows = yield* sql<ActorText>`
          select c.id, coalesce(w.wire, wire_channel(c.id)) as json
          from actor a join video_channel c on c.actor_id = a.id left join actor_wire w on w.actor_id = a.id
          where ${named(handle)}
        `
        return Option.fromUndefinedOr(rows[0])
      }, withDatabaseErrors)

      return Actors.of({ account, channel })
    })
  )
}
