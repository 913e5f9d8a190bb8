import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { insertMultikey, type NewMultikey } from "../../people/actor/NewActor.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** The second keys of local actors (FEP-521a). */
export class ActorMultikeys extends Context.Service<
  ActorMultikeys,
  {
    /** Local actors that have none yet, some at a time. */
    readonly missing: (atMost: number) => Effect.Effect<ReadonlyArray<number>, DatabaseUnavailable>
    /** Keeps the first that is made for an actor; an actor that is gone gets none. */
    readonly add: (actorId: number, key: NewMultikey) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/ActorMultikeys") {
  static readonly layer = Layer.effect(
    ActorMultikeys,
    Effect.map(SqlClient, (sql) =>
      ActorMultikeys.of({
        missing: (atMost) =>
          withDatabaseErrors(
            Effect.map(
              sql<{ id: number }>`
                select a.id from actor a
                where a.server_id is null and not exists (select from actor_multikey k where k.actor_id = a.id)
                order by a.id limit ${atMost}::integer`,
              (rows) => rows.map(({ id }) => id)
            )
          ),
        add: (actorId, key) => withDatabaseErrors(Effect.asVoid(insertMultikey(sql, actorId, key)))
      })
    )
  )
}
