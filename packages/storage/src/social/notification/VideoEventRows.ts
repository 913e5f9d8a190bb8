import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A video that is listed. */
export interface ListedVideo {
  readonly accountId: number
  /** Null: of another instance. */
  readonly ownerId: number | null
  readonly channelActorId: number
  readonly isLive: boolean
  readonly remote: boolean
  readonly publishedAt: Date
}

/** A video and the user whose it is; null: of another instance. */
export interface OwnedVideo {
  readonly ownerId: number | null
  readonly remote: boolean
  readonly waitTranscoding: boolean
}

/** A block of a video. */
export interface VideoBlock {
  readonly id: number
  readonly ownerId: number | null
  readonly remote: boolean
  /** It waits for a moderator; nobody has decided on it. */
  readonly automatic: boolean
}

/** The end of an import. */
export interface EndedImport {
  readonly userId: number
  readonly videoId: number | null
}

/** The next followers of an actor: how many they are, and the last of their follows. */
export interface FollowerBatch {
  readonly last: number | null
  readonly count: number
}

/** What events about videos are decided by. Undefined stands for what is gone by now. */
export class VideoEventRows extends Context.Service<
  VideoEventRows,
  {
    readonly listed: (videoId: number) => Effect.Effect<ListedVideo | undefined, DatabaseUnavailable>
    readonly owned: (videoId: number) => Effect.Effect<OwnedVideo | undefined, DatabaseUnavailable>
    readonly block: (videoId: number) => Effect.Effect<VideoBlock | undefined, DatabaseUnavailable>
    readonly ended: (importId: number) => Effect.Effect<EndedImport | undefined, DatabaseUnavailable>
    /** The followers of an actor whose follows come after one, in the order of ids. */
    readonly followers: (
      actorId: number,
      after: number,
      atMost: number
    ) => Effect.Effect<FollowerBatch, DatabaseUnavailable>
    /** Has a video marked again when it is listed the next time, unless it is listed by now. */
    readonly expectListing: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/notifications/VideoEventRows") {
  static readonly layer = Layer.effect(
    VideoEventRows,
    Effect.map(SqlClient, (sql) =>
      VideoEventRows.of({
        listed: Effect.fnUntraced(function* (videoId: number) {
          const [row] = yield* sql<ListedVideo>`
            select v.account_id as "accountId", o.user_id as "ownerId", c.actor_id as "channelActorId", v.is_live as "isLive",
              v.remote, v.published_at as "publishedAt"
            from video v join account o on o.id = v.account_id join video_channel c on c.id = v.channel_id
            where v.id = ${videoId} and v.visible <> 0`
          return row
        }, withDatabaseErrors),
        owned: Effect.fnUntraced(function* (videoId: number) {
          const [row] = yield* sql<OwnedVideo>`
            select o.user_id as "ownerId", v.remote, v.wait_transcoding as "waitTranscoding"
            from video v join account o on o.id = v.account_id where v.id = ${videoId}`
          return row
        }, withDatabaseErrors),
        block: Effect.fnUntraced(function* (videoId: number) {
          const [row] = yield* sql<VideoBlock>`
            select b.id, o.user_id as "ownerId", v.remote, b.type = 2 as automatic
            from video_blacklist b join video v on v.id = b.video_id join account o on o.id = v.account_id
            where v.id = ${videoId}`
          return row
        }, withDatabaseErrors),
        ended: Effect.fnUntraced(function* (importId: number) {
          const [row] = yield* sql<EndedImport>`
            select user_id as "userId", video_id as "videoId" from video_import where id = ${importId}`
          return row
        }, withDatabaseErrors),
        followers: Effect.fnUntraced(function* (actorId: number, after: number, atMost: number) {
          const [batch] = yield* sql<FollowerBatch>`
            select max(id) as last, count(*)::integer as count from (
              select f.id from actor_follow f
              where f.target_actor_id = ${actorId} and f.state = 'accepted' and f.id > ${after}
              order by f.id ${limit(sql, { start: 0, count: atMost })}
            ) p`
          return batch!
        }, withDatabaseErrors),
        expectListing: Effect.fnUntraced(function* (videoId: number) {
          yield* sql`update video set announced = false where id = ${videoId} and visible = 0`
        }, withDatabaseErrors)
      })
    )
  )
}
