import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Where a video elsewhere is at home. */
export interface VideoOrigin {
  readonly url: string
  /** (Shared) inbox of its channel. */
  readonly inbox: string
  /** The account it belongs to. */
  readonly ownerUrl: string
  /** Views that wait for its host. */
  readonly waitingViews: number
  /** The actor of this instance, which sends them. */
  readonly instanceActorId: number
  readonly instanceUrl: string
}

/** Beyond so many it does not matter how many wait. */
const mostCounted = 100

/** Homes of videos that are watched here. */
export class VideoOrigins extends Context.Service<
  VideoOrigins,
  {
    /** Undefined: it is ours, or gone. */
    readonly of: (videoId: number) => Effect.Effect<VideoOrigin | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/VideoOrigins") {
  static readonly layer = Layer.effect(
    VideoOrigins,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return VideoOrigins.of({
        of: Effect.fnUntraced(function* (videoId: number) {
          const [row] = yield* sql<VideoOrigin>`
            select v.url, inbox_of(c.actor_id) as inbox, owner.url as "ownerUrl", me.id as "instanceActorId",
              me.url as "instanceUrl", (
                select count(*)::integer from (
                  select from delivery where host = inbox_host(inbox_of(c.actor_id)) and lane = 3 limit ${mostCounted}
                ) d
              ) as "waitingViews"
            from video v join video_channel c on c.id = v.channel_id join account w on w.id = v.account_id
              join actor owner on owner.id = w.actor_id, actor me
            where v.id = ${videoId} and v.remote and me.id = instance_actor()`
          return row
        }, withDatabaseErrors)
      })
    })
  )
}
