import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Actors of other instances that somebody here follows. */
export class FollowTargets extends Context.Service<
  FollowTargets,
  {
    /** The actor's outbox; none when nobody follows it any more, or it has none. */
    readonly followed: (
      actorId: number
    ) => Effect.Effect<Option.Option<{ readonly outboxUrl: string }>, DatabaseUnavailable>
  }
>()("@kinora/storage/follows/FollowTargets") {
  static readonly layer = Layer.effect(
    FollowTargets,
    Effect.map(SqlClient, (sql) =>
      FollowTargets.of({
        followed: Effect.fnUntraced(function* (actorId: number) {
          const rows = yield* sql<{ outboxUrl: string }>`
            select a.outbox_url as "outboxUrl" from actor a
            where a.id = ${actorId} and a.server_id is not null and a.outbox_url is not null and exists (
              select 1 from actor_follow f where f.target_actor_id = a.id and f.state = 'accepted'
            )`
          return Option.fromUndefinedOr(rows[0])
        }, withDatabaseErrors)
      })
    )
  )
}
