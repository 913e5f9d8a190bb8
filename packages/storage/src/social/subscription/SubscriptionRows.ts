import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { recordEvent } from "../notification/NotificationEvents.ts"

/** What became of a wish to follow: `unknown` when no channel here has the name. */
export type Followed = "accepted" | "pending" | "known" | "unknown"

/** Follows of channels by users of this instance. How many follow a channel is kept by triggers (sql/social/triggers/follows.sql). */
export class SubscriptionRows extends Context.Service<
  SubscriptionRows,
  {
    /**
     * Follows a channel: one of this instance at once, one of another when that says so. The one transaction in which a
     * follow is made.
     */
    readonly add: (userId: number, handle: ActorHandle) => Effect.Effect<Followed, DatabaseUnavailable>
    /** False: there was no follow, nor one that waits. The one transaction in which a follow ends by its follower. */
    readonly remove: (userId: number, handle: ActorHandle) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/subscriptions/SubscriptionRows") {
  static readonly layer = Layer.effect(
    SubscriptionRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mine = (userId: number) => sql`(select actor_id from account where user_id = ${userId})`

      const add = Effect.fn("SubscriptionRows.add")(
        function* (userId: number, handle: ActorHandle) {
          const [target] = yield* sql<{ id: number; isLocal: boolean }>`
            select a.id, a.server_id is null as "isLocal" from actor a join video_channel h on h.actor_id = a.id
            where ${isActorNamed(sql, handle)}`
          if (target === undefined) return "unknown"
          const state = target.isLocal ? "accepted" : "pending"
          const [made] = yield* sql<{ id: number }>`
            insert into actor_follow (actor_id, target_actor_id, state)
            select b.id, t.id, ${state} from actor b, actor t
            where b.id = ${mine(userId)} and t.id = ${target.id} for key share
            on conflict (actor_id, target_actor_id) do update
              set state = excluded.state, created_at = now(), updated_at = now() where actor_follow.state = 'rejected'
            returning id`
          if (made === undefined) return "known"
          if (target.isLocal) yield* recordEvent(sql, { _tag: "NewFollow", followId: made.id })
          return state
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("SubscriptionRows.remove")(
        function* (userId: number, handle: ActorHandle) {
          // The channel before the follow, as who removes the channel takes them.
          const rows = yield* sql`
            with target as materialized (
              select a.id from actor a where ${isActorNamed(sql, handle)}
                and exists (select 1 from video_channel h where h.actor_id = a.id) for key share of a
            )
            delete from actor_follow f using target t
            where f.actor_id = ${mine(userId)} and f.target_actor_id = t.id returning f.id`
          return rows.length > 0
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return SubscriptionRows.of({ add, remove })
    })
  )
}
