import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A follow of an account, or of a channel. */
export interface EventFollow {
  readonly state: string
  readonly followerAccountId: number
  /** The account that is followed, or whose channel is. */
  readonly followedAccountId: number
  /** Its user; null: of another instance. */
  readonly followedUserId: number | null
}

/** A follow in which the instance itself takes part. */
export interface InstanceFollow {
  readonly state: string
  /** Null: the follower is no account, as an instance of other software may be. */
  readonly followerAccountId: number | null
}

/** What events about follows are decided by. Undefined stands for what is gone by now. */
export class FollowEventRows extends Context.Service<
  FollowEventRows,
  {
    readonly follow: (followId: number) => Effect.Effect<EventFollow | undefined, DatabaseUnavailable>
    readonly instanceFollow: (followId: number) => Effect.Effect<InstanceFollow | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/FollowEventRows") {
  static readonly layer = Layer.effect(
    FollowEventRows,
    Effect.map(SqlClient, (sql) =>
      FollowEventRows.of({
        follow: Effect.fnUntraced(function* (followId: number) {
          const [row] = yield* sql<EventFollow>`
            select f.state, by.id as "followerAccountId", o.id as "followedAccountId", o.user_id as "followedUserId"
            from actor_follow f join account by on by.actor_id = f.actor_id
              left join video_channel c on c.actor_id = f.target_actor_id
              join account o on o.id = c.account_id or o.actor_id = f.target_actor_id
            where f.id = ${followId}`
          return row
        }, withDatabaseErrors),
        instanceFollow: Effect.fnUntraced(function* (followId: number) {
          const [row] = yield* sql<InstanceFollow>`
            select f.state, by.id as "followerAccountId"
            from actor_follow f left join account by on by.actor_id = f.actor_id where f.id = ${followId}`
          return row
        }, withDatabaseErrors)
      })
    )
  )
}
