import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"

/** Received activities of one kind with the same result. */
export interface ActivityCount {
  readonly kind: string
  readonly state: "waiting" | "applied" | "refused"
  readonly count: number
}

/** Mirrored files of one redundancy strategy. Bytes. */
export interface CopiesKept {
  readonly strategy: string
  readonly totalUsed: number
  readonly totalVideos: number
  readonly totalVideoFiles: number
}

/** Requests that wait for moderators, and how long answers took. */
export interface Answered {
  readonly total: number
  readonly processed: number
  readonly averageMillis: number | null
}

/** Statistics from the database (contract: ServerStats). */
export interface InstanceFigures {
  readonly totalUsers: number
  readonly totalDailyActiveUsers: number
  readonly totalWeeklyActiveUsers: number
  readonly totalMonthlyActiveUsers: number
  readonly totalModerators: number
  readonly totalAdmins: number
  readonly totalLocalVideos: number
  readonly totalVideos: number
  readonly totalLocalVideoViews: number
  readonly totalLocalVideoDownloads: number
  readonly totalLocalVideoFilesSize: number
  readonly totalLocalVideoComments: number
  readonly totalVideoComments: number
  readonly totalLocalVideoChannels: number
  readonly totalLocalDailyActiveVideoChannels: number
  readonly totalLocalWeeklyActiveVideoChannels: number
  readonly totalLocalMonthlyActiveVideoChannels: number
  readonly totalLocalPlaylists: number
  readonly totalInstanceFollowers: number
  readonly totalInstanceFollowing: number
  readonly totalActivityPubMessagesWaiting: number
  readonly activityPubMessagesProcessedPerSecond: number
  readonly registrations: Answered
  /** Reports to the moderators. */
  readonly abuses: Answered
  readonly activities: ReadonlyArray<ActivityCount>
  readonly copies: ReadonlyArray<CopiesKept>
}

const days = { Daily: 1, Weekly: 7, Monthly: 30 } as const

const spans = (member: (name: keyof typeof days, day: number) => string): string =>
  Object.entries(days)
    .map(([name, day]) => member(name as keyof typeof days, day))
    .join(", ")

/** Totals of lists come from maintained counters; the others are counted. */
const statement = `
  with users as (
    select count(*) as "totalUsers",
      ${spans((name, day) => `count(*) filter (where last_login_at > now() - interval '${day} days') as "total${name}ActiveUsers"`)},
      count(*) filter (where role = 1) as "totalModerators", count(*) filter (where role = 0) as "totalAdmins"
    from app_user
  ), listed as (
    select coalesce(sum(change), 0) as "totalVideos",
      coalesce(sum(change) filter (where not remote), 0) as "totalLocalVideos"
    from video_total where visible = 2
  ), ours as (
    select coalesce(sum(views), 0) as "totalLocalVideoViews", coalesce(sum(downloads), 0) as "totalLocalVideoDownloads",
      coalesce(sum(local_files_size), 0) as "totalLocalVideoFilesSize",
      ${spans(
        (name, day) => `count(distinct channel_id) filter (
          where listed and published_at > now() - interval '${day} days'
        ) as "totalLocal${name}ActiveVideoChannels"`
      )}
    from video where not remote
  ), words as (
    select count(*) as "totalVideoComments", count(*) filter (where server_id is null) as "totalLocalVideoComments"
    from video_comment where account_id is not null and deleted_at is null and not held_for_review
  ), owned as (
    select count(*) as "totalLocalVideoChannels" from video_channel c join actor a on a.id = c.actor_id
    where a.server_id is null
  ), playlists as (
    select count(*) as "totalLocalPlaylists" from video_playlist where not remote and privacy = 1
  ), follows as (
    select count(*) filter (where f.target_actor_id = i.id) as "totalInstanceFollowers",
      count(*) filter (where f.actor_id = i.id) as "totalInstanceFollowing"
    from (select id from actor where server_id is null and type = 'Application' order by id limit 1) i
      join actor_follow f on f.state = 'accepted' and (f.target_actor_id = i.id or f.actor_id = i.id)
  ), inbox as (
    select coalesce(body ->> 'type', '') as kind, state, count(*) as count,
      count(*) filter (where processed_at > now() - interval '1 minute') as lately
    from inbox_activity group by 1, 2
  ), activity as (
    select coalesce(sum(count) filter (where state = 'waiting'), 0) as "totalActivityPubMessagesWaiting",
      coalesce(sum(lately), 0) / 60.0 as "activityPubMessagesProcessedPerSecond",
      coalesce(json_agg(json_build_object('kind', kind, 'state', state, 'count', count)), '[]') as activities
    from inbox
  ), registered as (
    select json_build_object('total', count(*), 'processed', count(processed_at), 'averageMillis',
      round(avg(extract(epoch from processed_at - created_at)) * 1000)) as registrations
    from user_registration
  ), reported as (
    select json_build_object('total', count(*), 'processed', count(processed_at), 'averageMillis',
      round(avg(extract(epoch from processed_at - created_at)) * 1000)) as abuses
    from abuse
  ), kept as (
    select strategy, sum(size) as "totalUsed", count(distinct video_id) as "totalVideos",
      sum((select count(*) from unnest(files) name where name like '%.mp4')) as "totalVideoFiles"
    from video_redundancy where strategy is not null group by strategy
  ), copied as (
    select coalesce(json_agg(row_to_json(kept)), '[]') as copies from kept
  )
  select row_to_json(f) as figures from (
    select * from users, listed, ours, words, owned, playlists, follows, activity, registered, reported, copied
  ) f`

/** Statistics of the whole instance. Callers should cache the result. */
export class InstanceStats extends Context.Service<
  InstanceStats,
  { readonly figures: Effect.Effect<InstanceFigures, DatabaseUnavailable> }
>()("@kinora/storage/stats/InstanceStats") {
  static readonly layer = Layer.effect(
    InstanceStats,
    Effect.gen(function* () {
      const sql = yield* SlowSql
      const figures = Effect.map(sql.unsafe<{ figures: InstanceFigures }>(statement), (rows) => rows[0]!.figures).pipe(
        withDatabaseErrors,
        Effect.withSpan("InstanceStats.figures")
      )
      return InstanceStats.of({ figures })
    })
  )
}
