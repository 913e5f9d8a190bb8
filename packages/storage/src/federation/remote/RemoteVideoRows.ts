import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import type { GivenVideo, WrittenVideo } from "./NewRemoteVideo.ts"
import { remoteVideoWrites } from "./RemoteVideoWrites.ts"

export interface KeptVideo {
  readonly id: number
  readonly uuid: string
  readonly url: string
  readonly remote: boolean
  readonly channelId: number
  readonly channelActorId: number
  readonly channelUrl: string
  readonly accountId: number
  readonly accountUrl: string
  readonly commentsPolicy: number
  /** Others may know of it: always so of theirs. */
  readonly federated: boolean
  /** Milliseconds since 1970; 0 for ours. */
  readonly fetchedAt: number
}

/** Videos by their addresses, and those of other instances as they are written. */
export class RemoteVideoRows extends Context.Service<
  RemoteVideoRows,
  {
    /** Ours too. */
    readonly byUrl: (url: string) => Effect.Effect<KeptVideo | undefined, DatabaseUnavailable>
    readonly byId: (videoId: number) => Effect.Effect<KeptVideo | undefined, DatabaseUnavailable>
    /** Those of these that are kept, ours too. */
    readonly byUrls: (urls: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeptVideo>, DatabaseUnavailable>
    readonly byIds: (videoIds: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<KeptVideo>, DatabaseUnavailable>
    /**
     * Writes videos with all that belongs to them, no address twice among them: one as many. Answers their rows in the same
     * order; undefined where channel or account are gone or do not belong together, the address is ours, or the video
     * belonged to another account and its origin was not asked. What is older than what is known, or the same again, changes
     * nothing. Takes part in the caller's transaction.
     */
    readonly upsertAll: (
      given: ReadonlyArray<GivenVideo>
    ) => Effect.Effect<ReadonlyArray<WrittenVideo | undefined>, DatabaseUnavailable>
    /**
     * One video by itself. Answers before it is on the disk: what was only heard of can be heard of again, and whatever is
     * written later because of it is on the disk after it.
     */
    readonly upsert: (given: GivenVideo) => Effect.Effect<WrittenVideo | undefined, DatabaseUnavailable>
    /** Where a video of another instance has its comments; undefined where nobody says, and for ours. */
    readonly commentsUrl: (videoId: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
    readonly setChapters: (
      videoId: number,
      chapters: ReadonlyArray<{ readonly timecode: number; readonly title: string }>
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** What its origin counts, of which null is not known; never less than what accounts that are known here gave it. */
    readonly setRatings: (
      videoId: number,
      totals: { readonly likes: number | null; readonly dislikes: number | null }
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** The video was asked for in vain: not again before its time. */
    readonly touch: (videoId: number) => Effect.Effect<void, DatabaseUnavailable>
    /** False when there was none; ours are never removed here. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/remote/RemoteVideoRows") {
  static readonly layer = Layer.effect(
    RemoteVideoRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const kept = sql`
        select v.id, v.uuid, v.url, v.remote, v.channel_id as "channelId", c.actor_id as "channelActorId",
          ca.url as "channelUrl", v.account_id as "accountId", aa.url as "accountUrl",
          v.comments_policy as "commentsPolicy", v.remote or video_is_federated(v.id) as federated,
          (extract(epoch from coalesce(r.fetched_at, 'epoch'::timestamptz)) * 1000)::float8 as "fetchedAt"
        from video v join video_channel c on c.id = v.channel_id join actor ca on ca.id = c.actor_id
          join account a on a.id = v.account_id join actor aa on aa.id = a.actor_id
          left join remote_video r on r.video_id = v.id`

      const byUrls = (urls: ReadonlyArray<string>) =>
        withDatabaseErrors(sql<KeptVideo>`${kept} where v.url = any(${urls}::text[])`)

      const byIds = (videoIds: ReadonlyArray<number>) =>
        withDatabaseErrors(sql<KeptVideo>`${kept} where v.id = any(${videoIds}::integer[])`)

      const byUrl = (url: string) => Effect.map(byUrls([url]), (rows) => rows[0])

      const byId = (videoId: number) => Effect.map(byIds([videoId]), (rows) => rows[0])

      const write = remoteVideoWrites(sql)

      const upsertAll = (given: ReadonlyArray<GivenVideo>) => withDatabaseErrors(inTransaction(sql)(write(given)))

      const upsert = Effect.fnUntraced(
        function* (given: GivenVideo) {
          yield* sql`select set_config('synchronous_commit', 'off', true)`
          return (yield* write([given]))[0]
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const setChapters = Effect.fn("RemoteVideoRows.setChapters")(
        function* (videoId: number, chapters: ReadonlyArray<{ readonly timecode: number; readonly title: string }>) {
          const held = yield* sql`select 1 from video where id = ${videoId} and remote for no key update`
          if (held.length === 0) return
          const given = JSON.stringify(chapters)
          yield* sql`
            delete from video_chapter c where c.video_id = ${videoId} and not exists (
              select from json_to_recordset(${given}::text::json) g (timecode int, title text)
              where g.timecode = c.timecode and g.title = c.title)`
          yield* sql`
            insert into video_chapter (video_id, timecode, title)
            select ${videoId}::int, g.timecode, g.title
            from json_to_recordset(${given}::text::json) g (timecode int, title text)
            on conflict do nothing`
          // What its origin says holds, also when it says that there are none.
          yield* sql`update video set chapters_by_hand = true where id = ${videoId} and not chapters_by_hand`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const setRatings = Effect.fn("RemoteVideoRows.setRatings")(
        function* (videoId: number, totals: { readonly likes: number | null; readonly dislikes: number | null }) {
          yield* sql`select 1 from video where id = ${videoId} and remote for no key update`
          yield* sql`
            update video v set likes = r.likes, dislikes = r.dislikes from (
              select greatest(least(coalesce(${totals.likes}::bigint, x.likes), 2000000000), k.likes)::integer as likes,
                greatest(least(coalesce(${totals.dislikes}::bigint, x.dislikes), 2000000000), k.dislikes)::integer as dislikes
              from video x, lateral (
                select count(*) filter (where type = 'like') as likes, count(*) filter (where type = 'dislike') as dislikes
                from account_video_rate where video_id = x.id
              ) k where x.id = ${videoId}
            ) r
            where v.id = ${videoId} and v.remote and (v.likes, v.dislikes) is distinct from (r.likes, r.dislikes)`
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("RemoteVideoRows.remove")(
        function* (url: string) {
          const found = yield* sql<{ id: number; uuid: string }>`
            select id, uuid from video where url = ${url} and remote for update`
          if (found.length === 0) return false
          // Copies we serve for its origin lie in a folder of their own.
          yield* sql`insert into object_removal (bucket, name) select 'redundancy', ${found[0]!.uuid}`
          yield* sql`delete from video where id = ${found[0]!.id}`
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const commentsUrl = Effect.fnUntraced(function* (videoId: number) {
        const rows = yield* sql<{ url: string }>`
          select comments_url as url from remote_video where video_id = ${videoId} and comments_url is not null`
        return rows[0]?.url
      }, withDatabaseErrors)

      const touch = Effect.fnUntraced(function* (videoId: number) {
        yield* sql`
          insert into remote_video (video_id) select id from video where id = ${videoId} and remote
          on conflict (video_id) do update set fetched_at = now()`
      }, withDatabaseErrors)

      return RemoteVideoRows.of({
        ...{ byUrl, byId, byUrls, byIds, upsertAll, upsert, commentsUrl, setChapters, setRatings, touch, remove }
      })
    })
  )
}
