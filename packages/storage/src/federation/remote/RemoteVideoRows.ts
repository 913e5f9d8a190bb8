import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { RemotePicture } from "./RemoteActorRows.ts"

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

export interface NewRemoteFile {
  readonly url: string
  readonly extension: string
  readonly resolution: number
  readonly width: number | null
  readonly height: number | null
  readonly size: number
  readonly fps: number
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly metadataUrl: string | null
  readonly torrentUrl: string | null
  readonly infoHash: string | null
}

/** What is written of a video; texts are bounded and addresses vetted before (`VideoObject`). */
export interface NewRemoteVideo {
  readonly url: string
  readonly uuid: string | null
  readonly name: string
  readonly category: number | null
  readonly licence: number | null
  readonly language: string | null
  readonly privacy: 1 | 2
  readonly state: number
  readonly nsfw: boolean
  readonly nsfwFlags: number
  readonly nsfwSummary: string | null
  readonly description: string | null
  readonly support: string | null
  readonly duration: number
  readonly aspectRatio: number | null
  readonly isLive: boolean
  readonly waitTranscoding: boolean
  readonly downloadEnabled: boolean
  readonly commentsPolicy: 1 | 2 | 3
  readonly views: number
  readonly downloads: number
  readonly inputFileUpdated: string | null
  readonly originallyPublished: string | null
  readonly published: string | null
  readonly updated: string | null
  readonly tags: ReadonlyArray<string>
  readonly trackers: ReadonlyArray<string>
  /** Type 1 is the small one, 2 large ones. */
  readonly pictures: ReadonlyArray<RemotePicture & { readonly type: 1 | 2 }>
  readonly storyboard: {
    readonly url: string
    readonly width: number
    readonly height: number
    readonly tileWidth: number
    readonly tileHeight: number
    readonly tileSeconds: number
  } | null
  readonly captions: ReadonlyArray<{
    readonly language: string
    readonly automaticallyGenerated: boolean
    readonly url: string
  }>
  readonly files: ReadonlyArray<NewRemoteFile>
  readonly hls: {
    readonly url: string
    readonly segmentsUrl: string | null
    readonly files: ReadonlyArray<NewRemoteFile>
  } | null
  readonly likesUrl: string | null
  readonly dislikesUrl: string | null
  readonly sharesUrl: string | null
  readonly commentsUrl: string | null
  readonly chaptersUrl: string | null
}

/** Videos by their addresses, and those of other instances as they are written. */
export class RemoteVideoRows extends Context.Service<
  RemoteVideoRows,
  {
    /** Ours too. */
    readonly byUrl: (url: string) => Effect.Effect<KeptVideo | undefined, DatabaseUnavailable>
    readonly byId: (videoId: number) => Effect.Effect<KeptVideo | undefined, DatabaseUnavailable>
    /**
     * Writes a video with all that belongs to it, of its channel's account where no account is named. Undefined when these
     * are gone or do not belong together, the address is ours, or it belonged to another account; `asked` lets the last
     * pass, where its origin was asked for it. Answers its row, before it is on the disk: what was only heard of can be
     * heard of again, and whatever is written later because of it is on the disk after it.
     */
    readonly upsert: (
      owner: { readonly accountId: number | null; readonly channelId: number },
      video: NewRemoteVideo,
      asked: boolean
    ) => Effect.Effect<number | undefined, DatabaseUnavailable>
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

      const byUrl = Effect.fnUntraced(function* (url: string) {
        return (yield* sql<KeptVideo>`${kept} where v.url = ${url}`)[0]
      }, withDatabaseErrors)

      const byId = Effect.fnUntraced(function* (videoId: number) {
        return (yield* sql<KeptVideo>`${kept} where v.id = ${videoId}`)[0]
      }, withDatabaseErrors)

      const upsert = Effect.fnUntraced(function* (
        owner: { readonly accountId: number | null; readonly channelId: number },
        video: NewRemoteVideo,
        asked: boolean
      ) {
        // One statement, which is its own transaction.
        const rows = yield* sql<{ id: number | null }>`
          select upsert_remote_video(
            ${owner.accountId}::integer, ${owner.channelId}::integer, ${JSON.stringify(video)}::text::jsonb,
            ${asked}::boolean
          ) as id, set_config('synchronous_commit', 'off', true)`
        return rows[0]!.id ?? undefined
      }, withDatabaseErrors)

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

      return RemoteVideoRows.of({ byUrl, byId, upsert, commentsUrl, setChapters, setRatings, touch, remove })
    })
  )
}
