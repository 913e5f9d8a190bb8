import type { ChannelPlayerTheme, VideoPlayerTheme } from "@kinora/domain/enums/PlayerTheme"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { approveComment } from "../../social/comment/CommentReviews.ts"

/** What a viewer elsewhere watched of a video of ours. */
export interface Watched {
  readonly videoId: number
  /** ISO 8601. */
  readonly startedAt: string
  readonly endedAt: string
  /** Seconds from the start of the video; each begins before it ends. */
  readonly sections: ReadonlyArray<readonly [from: number, to: number]>
}

/** A host may add no more than so many to a counter of one video within an hour. */
const mostViews = 10_000
const mostDownloads = 1_000
const mostWatched = 1_000
/** Current viewers of one local video, as one host reports them. */
const maxViewers = 5_000

type Done = Effect.Effect<void, DatabaseUnavailable>

/** What activities change beyond rates, comments and the objects of others. Everything takes part in the caller's transaction. */
export class InboxEffects extends Context.Service<
  InboxEffects,
  {
    readonly share: (share: { readonly url: string; readonly actorId: number; readonly videoId: number }) => Done
    readonly unshare: (actorId: number, videoId: number) => Done
    /** One view more of a video, as far as the host has any left in this hour. */
    readonly view: (videoId: number, host: string) => Done
    readonly download: (videoId: number, host: string) => Done
    /** The current viewers of a video by one report (a viewer's id), valid until then. */
    readonly viewers: (report: {
      readonly videoId: number
      readonly viewer: string
      readonly host: string
      readonly viewers: number
      readonly expiresAt: string
    }) => Done
    readonly watched: (watched: Watched, host: string) => Done
    /** The video's instance shows a comment of ours. */
    readonly approveReply: (commentId: number, approvalUrl: string) => Done
    /** The video's instance will not show a comment of ours, which was held until it said so. */
    readonly rejectReply: (commentId: number) => Done
    /** Whoever the video belongs to has taken a comment down. */
    readonly removeComment: (commentId: number) => Done
    readonly videoTheme: (videoId: number, theme: VideoPlayerTheme) => Done
    /** Of the actor's own channel, or that of its account; false where it is neither. */
    readonly channelTheme: (
      channelId: number,
      ofActorId: number,
      theme: ChannelPlayerTheme
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** A copy of a video at another instance. One address is one actor's for as long as it is kept. */
    readonly keepCopy: (copy: {
      readonly url: string
      readonly baseUrl: string
      readonly actorId: number
      readonly videoId: number
      readonly expiresAt: string | null
    }) => Done
    readonly forgetCopy: (url: string, actorId: number) => Done
    /**
     * Has everybody of ours who follows one actor follow another, and no longer that one, but for the instance itself. False: it
     * moved within a day already.
     */
    readonly moveFollowers: (fromActorId: number, toActorId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/inbox/InboxEffects") {
  static readonly layer = Layer.effect(
    InboxEffects,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const done = (statement: Effect.Effect<unknown, SqlError>): Done => withDatabaseErrors(Effect.asVoid(statement))

      /** A CTE that has a row if one more of a kind counts for a video. */
      const counted = (videoId: number, host: string, kind: string, most: number) => sql`
        counted as (
          insert into remote_counting as k (video_id, host, hour, kind, counted)
          select id, ${host}::citext, date_trunc('hour', now()), ${kind}::text, 1 from video where id = ${videoId}
          on conflict (hour, video_id, host, kind) do update set counted = k.counted + 1 where k.counted < ${most}::integer
          returning k.video_id
        )`

      const moveFollowers = Effect.fnUntraced(function* (fromActorId: number, toActorId: number) {
        const moving = yield* sql`
          update remote_actor set moved_at = now()
          where actor_id = ${fromActorId} and (moved_at is null or moved_at < now() - interval '1 day') returning actor_id`
        if (moving.length === 0) return false
        yield* sql`
          insert into actor_follow (actor_id, target_actor_id, state, url)
          select f.actor_id, ${toActorId}::integer, 'pending', a.url || '/follows/' || ${toActorId}::integer
          from actor_follow f join actor a on a.id = f.actor_id and a.server_id is null
          where f.target_actor_id = ${fromActorId} and f.state <> 'rejected' and a.type <> 'Application'
          order by f.actor_id
          on conflict do nothing`
        yield* sql`
          delete from actor_follow f using actor a
          where f.target_actor_id = ${fromActorId} and a.id = f.actor_id and a.server_id is null and a.type <> 'Application'`
        return true
      }, withDatabaseErrors)

      return InboxEffects.of({
        share: ({ actorId, url, videoId }) =>
          done(sql`
            insert into video_share (actor_id, video_id, url)
            select ${actorId}::integer, id, ${url}::text from video where id = ${videoId} for key share
            on conflict do nothing`),
        unshare: (actorId, videoId) =>
          done(sql`delete from video_share where actor_id = ${actorId} and video_id = ${videoId}`),
        view: (videoId, host) =>
          done(sql`
            with ${counted(videoId, host, "view", mostViews)}, viewed as (
              update video v set views = v.views + 1, trend_views = v.trend_views + 1 from counted c
              where v.id = c.video_id returning v.id
            )
            insert into video_view_day as d (video_id, day, views)
            select id, (now() at time zone 'UTC')::date, 1 from viewed
            on conflict (video_id, day) do update set views = d.views + 1`),
        download: (videoId, host) =>
          done(sql`
            with ${counted(videoId, host, "download", mostDownloads)}
            update video v set downloads = v.downloads + 1 from counted c where v.id = c.video_id`),
        viewers: ({ expiresAt, host, videoId, viewer, viewers }) =>
          done(sql`
            insert into remote_viewers (video_id, viewer, host, viewers, expires_at)
            select v.id, ${viewer}::text, ${host}::citext, ${viewers}::integer, ${expiresAt}::timestamptz
            from video v where v.id = ${videoId} and (
              select count(*) from remote_viewers where video_id = ${videoId} and host = ${host}::citext
                and viewer <> ${viewer}
            ) < ${maxViewers}::integer for key share of v
            on conflict (video_id, viewer) do update
              set viewers = excluded.viewers, expires_at = excluded.expires_at
              where remote_viewers.host = excluded.host`),
        watched: ({ endedAt, sections, startedAt, videoId }, host) =>
          done(sql`
            with ${counted(videoId, host, "watch", mostWatched)}
            insert into video_viewing
              (video_id, started_at, seen_at, position, sought, watch_time, watched, counted_at, applied)
            select v.id, ${startedAt}::timestamptz, ${endedAt}::timestamptz, 0, false,
              coalesce((select sum(upper(r) - lower(r)) from unnest(w.watched) r), 0)::integer, w.watched, null, false
            from video v join counted on counted.video_id = v.id cross join lateral (
              select coalesce(range_agg(int4range(least(s.from_, v.duration), least(s.to_, v.duration))), '{}') as watched
              from unnest(${sections.map(([from]) => from)}::integer[], ${sections.map(([, to]) => to)}::integer[])
                s (from_, to_)
            ) w`),
        approveReply: (commentId, approvalUrl) =>
          done(
            Effect.andThen(
              approveComment(sql, commentId),
              sql`update video_comment set reply_approval_url = ${approvalUrl} where id = ${commentId}`
            )
          ),
        rejectReply: (commentId) =>
          done(sql`
            select remove_comments(array[id]) from video_comment where id = ${commentId} and held_for_review`),
        removeComment: (commentId) => done(sql`select remove_comments(array[${commentId}::integer])`),
        videoTheme: (videoId, theme) =>
          done(sql`update video set player_theme = ${theme} where id = ${videoId} and remote`),
        channelTheme: (channelId, ofActorId, theme) =>
          Effect.map(
            sql`update video_channel set player_theme = ${theme} where id = ${channelId} and (
              actor_id = ${ofActorId} or account_id = (select id from account where actor_id = ${ofActorId})
            ) returning id`,
            (rows) => rows.length > 0
          ).pipe(withDatabaseErrors),
        keepCopy: ({ actorId, baseUrl, expiresAt, url, videoId }) =>
          done(sql`
            insert into video_redundancy (video_id, streaming_playlist_id, actor_id, url, base_url, expires_at)
            select p.video_id, p.id, ${actorId}::integer, ${url}::text, ${baseUrl}::text,
              least(coalesce(${expiresAt}::timestamptz, now() + interval '7 days'), now() + interval '30 days')
            from streaming_playlist p
            where p.video_id = ${videoId}
              and not exists (
                select from video_redundancy r where r.url = ${url}
                  and (r.actor_id <> ${actorId}::integer or r.streaming_playlist_id <> p.id)
              )
              -- One copy an instance.
              and not exists (
                select from video_redundancy r join actor other on other.id = r.actor_id
                  join actor keeper on keeper.id = ${actorId}::integer and keeper.server_id = other.server_id
                where r.streaming_playlist_id = p.id and other.id <> keeper.id
              )
            order by p.id limit 1
            on conflict (streaming_playlist_id, actor_id) do update set url = excluded.url, base_url = excluded.base_url,
              expires_at = excluded.expires_at, updated_at = now()`),
        forgetCopy: (url, actorId) =>
          done(sql`delete from video_redundancy where url = ${url} and actor_id = ${actorId}`),
        moveFollowers
      })
    })
  )
}
