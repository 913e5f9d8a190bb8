import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Json } from "@kinora/domain/wire/Json"
import type {
  VideoStatsOverall,
  VideoStatsRetention,
  VideoStatsTimeserie,
  VideoStatsUserAgent
} from "@kinora/domain/wire/VideoStats"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Instants in ISO 8601, both inclusive. A missing bound means no limit. */
export interface StatsSpan {
  readonly start?: string | undefined
  readonly end?: string | undefined
}

/** Possible steps of a series: few enough points for any period. */
export type SeriesStep = "1 minute" | "10 minutes" | "1 hour" | "1 day" | "7 days" | "1 month"

export interface Series {
  readonly metric: "viewers" | "aggregateWatchTime"
  readonly start: string
  readonly end: string
  readonly step: SeriesStep
}

/** Names of programs come from viewers: only this many are returned, the most frequent first. */
const maxNames = 100

/** The latest sessions, from which a curve is computed: more would make no visible difference. */
const maxSessions = 100_000

/**
 * Statistics of a video's viewers as JSON text, from its sessions. The location of viewers is unknown, so there are no
 * countries.
 */
export class ViewStats extends Context.Service<
  ViewStats,
  {
    /** Contract: VideoStatsOverall, for sessions that began in the period. */
    readonly overall: (videoId: number, span: StatsSpan) => Effect.Effect<Json<VideoStatsOverall>, DatabaseUnavailable>
    /**
     * Contract: VideoStatsRetention: for each second of the video, the percentage of the latest sessions that watched
     * it.
     */
    readonly retention: (videoId: number) => Effect.Effect<Json<VideoStatsRetention>, DatabaseUnavailable>
    /**
     * Contract: VideoStatsTimeserie: for each step (UTC) the number of viewers, or the watch time of the sessions that
     * began in it.
     */
    readonly series: (videoId: number, series: Series) => Effect.Effect<Json<VideoStatsTimeserie>, DatabaseUnavailable>
    /** Contract: VideoStatsUserAgent, for sessions that began in the period. */
    readonly userAgents: (
      videoId: number,
      span: StatsSpan
    ) => Effect.Effect<Json<VideoStatsUserAgent>, DatabaseUnavailable>
  }
>()("@kinora/storage/views/ViewStats") {
  static readonly layer = Layer.effect(
    ViewStats,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const body = <A>(statement: Statement<{ readonly body: Json<A> }>) =>
        withDatabaseErrors(Effect.map(statement, (rows) => rows[0]!.body))

      const began = (videoId: number, { end, start }: StatsSpan) => sql`
        video_id = ${videoId} and started_at >= coalesce(${start ?? null}::timestamptz, '-infinity')
          and started_at <= coalesce(${end ?? null}::timestamptz, 'infinity')`

      const overall = (videoId: number, span: StatsSpan) =>
        body(sql<{ body: Json<VideoStatsOverall> }>`
          with seen as materialized (
            select started_at, seen_at, watch_time from video_viewing where ${began(videoId, span)}
          ), crowd as (
            select at, sum(change) over (order by at, change desc rows unbounded preceding) as viewers from (
              select started_at as at, 1 as change from seen union all select seen_at, -1 from seen
            ) c
          ), peak as (select at, viewers from crowd order by viewers desc, at limit 1)
          select json_build_object(
            'averageWatchTime', (select coalesce(round(avg(watch_time), 2), 0)::float8 from seen),
            'totalWatchTime', (select coalesce(sum(watch_time), 0) from seen),
            'totalViewers', (select count(*) from seen),
            'viewersPeak', coalesce((select viewers from peak), 0),
            'viewersPeakDate', (select wire_time(at) from peak),
            'countries', '[]'::json,
            'subdivisions', '[]'::json
          )::text as body`)

      const retention = (videoId: number) =>
        body(sql<{ body: Json<VideoStatsRetention> }>`
          with seen as materialized (
            select watched from video_viewing where video_id = ${videoId} order by started_at desc limit ${maxSessions}
          ), edges as (
            select lower(r) as second, 1 as change from seen, unnest(watched) r
            union all select upper(r), -1 from seen, unnest(watched) r
          ), changes as (select second, sum(change) as change from edges group by 1), line as (
            select second, sum(coalesce(c.change, 0)) over (order by second) as viewers
            from video v, generate_series(0, v.duration) second left join changes c using (second) where v.id = ${videoId}
          )
          select '{"data":[' || coalesce(string_agg(
            '{"second":' || second || ',"retentionPercent":'
              || coalesce(round(viewers * 100 / nullif((select count(*) from seen), 0)), 0) || '}', ',' order by second
          ), '') || ']}' as body from line`)

      const series = (videoId: number, { end, metric, start, step }: Series) => {
        const interval = sql.literal(`interval '${step}'`)
        const bin = (moment: ReturnType<typeof sql.literal>) =>
          step === "1 month"
            ? sql`date_trunc('month', ${moment})`
            : sql`date_bin(${interval}, ${moment}, timestamp '2001-01-01')`
        const seen = sql`
          select started_at at time zone 'UTC' as began, seen_at at time zone 'UTC' as ended, watch_time
          from video_viewing, span
          where video_id = ${videoId} and started_at <= ${end}::timestamptz and seen_at >= ${start}::timestamptz`
        const counted =
          metric === "viewers"
            ? sql`
              select step.at, count(*) as value from seen s, span, generate_series(
                ${bin(sql.literal("greatest(s.began, span.first)"))}, least(s.ended, span.last), ${interval}
              ) step (at) group by 1`
            : sql`
              select ${bin(sql.literal("s.began"))} as at, sum(s.watch_time) as value from seen s, span
              where s.began >= span.first group by 1`
        return body(sql<{ body: Json<VideoStatsTimeserie> }>`
          with span as (
            select ${start}::timestamptz at time zone 'UTC' as first, ${end}::timestamptz at time zone 'UTC' as last
          ), seen as (${seen}), counted as (${counted})
          select '{"groupInterval":"' || ${step}::text || '","data":[' || string_agg(
            '{"date":"' || wire_time(step.at at time zone 'UTC') || '","value":' || coalesce(c.value, 0) || '}', ','
            order by step.at
          ) || ']}' as body
          from span, generate_series(${bin(sql.literal("span.first"))}, span.last, ${interval}) step (at)
            left join counted c on c.at = step.at`)
      }

      const userAgents = (videoId: number, span: StatsSpan) => {
        const names = (column: "client" | "device" | "operating_system") => sql`(
          select coalesce(json_agg(row_to_json(n)), '[]') from (
            select ${sql(column)} as name, count(*) as viewers from seen where ${sql(column)} is not null
            group by 1 order by 2 desc, 1 limit ${maxNames}
          ) n
        )`
        // The contract's two sources name the last one differently: we return both names.
        return body(sql<{ body: Json<VideoStatsUserAgent> }>`
          with seen as materialized (
            select client, device, operating_system from video_viewing where ${began(videoId, span)}
          )
          select json_build_object('clients', ${names("client")}, 'devices', ${names("device")},
            'operatingSystem', s.systems, 'operatingSystems', s.systems)::text as body
          from (select ${names("operating_system")} as systems) s`)
      }

      return ViewStats.of({ overall, retention, series, userAgents })
    })
  )
}
