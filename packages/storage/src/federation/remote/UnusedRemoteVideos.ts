import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A video of another instance that nobody here needs. */
export interface UnusedVideo {
  readonly id: number
  readonly url: string
  readonly name: string
  readonly host: string
}

/**
 * Videos of other instances that came in once and that nobody here follows, has watched or keeps: by searches for their
 * address, by shares, or while their channel was followed. Somebody who asks for one again has it fetched anew.
 */
export class UnusedRemoteVideos extends Context.Service<
  UnusedRemoteVideos,
  {
    readonly count: (olderThanDays: number) => Effect.Effect<number, DatabaseUnavailable>
    /** The longest known of them. */
    readonly list: (
      olderThanDays: number,
      count: number
    ) => Effect.Effect<ReadonlyArray<UnusedVideo>, DatabaseUnavailable>
    /** Deletes up to this many, in a transaction; gives how many. Zero: none is left. */
    readonly remove: (olderThanDays: number, max: number) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/storage/federation/remote/UnusedRemoteVideos") {
  static readonly layer = Layer.effect(
    UnusedRemoteVideos,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const local = sql`(select id from account where user_id is not null)`

      // A block stays with its video: without it the video would be shown when it comes again.
      const unused = (olderThanDays: number) => sql`
        v.remote and v.visible < 0
        and greatest(v.created_at, (select r.fetched_at from remote_video r where r.video_id = v.id))
          < now() - ${olderThanDays} * interval '1 day'
        and not exists (select from user_video_history h where h.video_id = v.id)
        and not exists (select from account_video_rate r where r.video_id = v.id and r.account_id in ${local})
        and not exists (select from video_comment c where c.video_id = v.id and c.account_id in ${local})
        and not exists (select from video_playlist_element e join video_playlist p on p.id = e.playlist_id
          where e.video_id = v.id and not p.remote)
        and not exists (select from video_redundancy d where d.video_id = v.id and d.strategy is not null)
        and not exists (select from video_blacklist b where b.video_id = v.id)
        and not exists (select from abuse a where a.video_id = v.id)`

      const count = Effect.fn("UnusedRemoteVideos.count")(function* (olderThanDays: number) {
        const rows = yield* sql<{ total: number }>`
          select count(*)::integer as total from video v where ${unused(olderThanDays)}`
        return rows[0]!.total
      }, withDatabaseErrors)

      const list = Effect.fn("UnusedRemoteVideos.list")(function* (olderThanDays: number, most: number) {
        return yield* sql<UnusedVideo>`
          select v.id, v.url, v.name, s.host::text as host from video v join server s on s.id = v.server_id
          where ${unused(olderThanDays)} order by v.id limit ${most}`
      }, withDatabaseErrors)

      const remove = Effect.fn("UnusedRemoteVideos.remove")(
        function* (olderThanDays: number, max: number) {
          const ids = (yield* sql<{ id: number }>`
            select v.id from video v where ${unused(olderThanDays)} order by v.id limit ${max} for update of v skip locked
          `).map(({ id }) => id)
          // Looked at again under the lock: somebody may have begun to use one.
          const gone = yield* sql`
            delete from video v where v.id = any(${ids}::integer[]) and ${unused(olderThanDays)} returning v.id`
          return gone.length
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return UnusedRemoteVideos.of({ count, list, remove })
    })
  )
}
