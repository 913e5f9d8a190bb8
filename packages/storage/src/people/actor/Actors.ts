import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { Account } from "@kinora/domain/wire/Account"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { isActorNamed } from "./ActorNamed.ts"
import { actorOf } from "./ActorPages.ts"
import type { KeptActorText } from "./ActorTexts.ts"

/** An account or channel: its row id, and JSON text as clients read it. */
export interface ActorText<A> {
  readonly id: number
  readonly json: Json<A>
}

interface Named extends KeptActorText {
  readonly id: number
}

/** Accounts and channels, local and remote, by handle. Our own host means a local one. */
export class Actors extends Context.Service<
  Actors,
  {
    readonly account: (handle: ActorHandle) => Effect.Effect<Option.Option<ActorText<Account>>, DatabaseUnavailable>
    readonly channel: (
      handle: ActorHandle
    ) => Effect.Effect<Option.Option<ActorText<VideoChannel>>, DatabaseUnavailable>
  }
>()("@kinora/storage/actors/Actors") {
  static readonly layer = Layer.effect(
    Actors,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const named = (handle: ActorHandle) => isActorNamed(sql, handle)

      const first = <A>(rows: ReadonlyArray<Named>) =>
        Effect.map(actorOf(sql, rows), (found): Option.Option<ActorText<A>> =>
          found === undefined ? Option.none() : Option.some({ id: found.row.id, json: jsonOf<A>(found.text) })
        )

      const account = Effect.fnUntraced(function* (handle: ActorHandle) {
        const rows = yield* sql<Named>`
          select c.id, a.id as "actorId", (select w.text from actor_read_model w where w.actor_id = a.id) as text
          from actor a join account c on c.actor_id = a.id
          where ${named(handle)}
        `
        return yield* first<Account>(rows)
      }, withDatabaseErrors)

      const channel = Effect.fnUntraced(function* (handle: ActorHandle) {
        const rows = yield* sql<Named>`
          select c.id, a.id as "actorId", (select w.text from actor_read_model w where w.actor_id = a.id) as text
          from actor a join video_channel c on c.actor_id = a.id
          where ${named(handle)}
        `
        return yield* first<VideoChannel>(rows)
      }, withDatabaseErrors)

      return Actors.of({ account, channel })
    })
  )
}
