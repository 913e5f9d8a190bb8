import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { SubscriptionGroup } from "@kinora/domain/wire/SubscriptionGroup"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Groups in which users sort the channels they follow, as they read them. */
export class SubscriptionGroupLists extends Context.Service<
  SubscriptionGroupLists,
  {
    /** All groups of the user by name. They have the channels that are followed, or asked to be, in the order of the follows. */
    readonly of: (userId: number) => Effect.Effect<ReadonlyArray<SubscriptionGroup>, DatabaseUnavailable>
    /** Row id of the user's group of this name, in whatever case. */
    readonly named: (userId: number, name: string) => Effect.Effect<number | undefined, DatabaseUnavailable>
    /** Whether the user has the group. */
    readonly has: (userId: number, groupId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/social/subscription/SubscriptionGroupLists") {
  static readonly layer = Layer.effect(
    SubscriptionGroupLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return SubscriptionGroupLists.of({
        of: Effect.fn("SubscriptionGroupLists.of")(
          (userId) => sql<SubscriptionGroup>`
            select g.id, g.name::text as name, wire_time(g.created_at) as "createdAt", wire_time(g.updated_at) as "updatedAt",
              array(
                select a.preferred_username::text || '@' || coalesce(s.host::text, wire_host(wire_origin()))
                from subscription_group_member m join actor_follow f on f.id = m.follow_id and f.state <> 'rejected'
                  join actor a on a.id = f.target_actor_id left join server s on s.id = a.server_id
                where m.group_id = g.id order by m.follow_id
              ) as channels
            from subscription_group g where g.user_id = ${userId} order by lower(g.name::text), g.id`,
          withDatabaseErrors
        ),
        named: Effect.fn("SubscriptionGroupLists.named")(function* (userId, name) {
          const [group] = yield* sql<{ id: number }>`
            select id from subscription_group where user_id = ${userId} and name = ${name}`
          return group?.id
        }, withDatabaseErrors),
        has: Effect.fn("SubscriptionGroupLists.has")(function* (userId, groupId) {
          const rows = yield* sql`select 1 from subscription_group where id = ${groupId} and user_id = ${userId}`
          return rows.length > 0
        }, withDatabaseErrors)
      })
    })
  )
}
