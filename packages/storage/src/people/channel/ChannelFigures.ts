import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import type { SqlClient } from "effect/sql/SqlClient"

/** Periods longer than this many days are reported by month instead of by day. */
const maxDays = 92

/** Statistics of a channel: its videos, their views, and views by day or month. */
export interface Figures {
  readonly videos: number
  readonly views: number
  readonly unit: "day" | "month"
  /** Start of each step, ISO 8601. */
  readonly dates: ReadonlyArray<string>
  readonly series: ReadonlyArray<number>
}

/** Statistics as members of a channel's JSON, each after a comma (contract: VideoChannel). */
export const figureMembers = ({ dates, series, unit, videos, views }: Figures): string => {
  const members = {
    videosCount: videos,
    totalViews: views,
    viewsGroupInterval: `1 ${unit}`,
    viewsPerDay: dates.map((date, n) => ({ date, views: series[n] ?? 0 }))
  } satisfies Partial<typeof VideoChannel.Encoded>
  return `,${JSON.stringify(members).slice(1, -1)}`
}

/**
 * Common table expressions that end with `figures`: rows of `Figures` with the `id` of each channel of the expression
 * `found (id, made, …)`. Views are by day or month (UTC), with a value for each one of the period, most of them 0.
 *
 * @param days length of the period, today included; 0 begins with the channel, or with the oldest counted views
 */
export const channelFigures = (sql: SqlClient, days: 0 | 30 | 90 | 365) => {
  // A literal in the text, so that the planner knows how much of the table a period covers.
  const start = days === 0 ? undefined : sql.literal(`current_date - ${days - 1}`)
  return sql`
  total as (
    select f.id, count(v.id) as videos, coalesce(sum(v.views), 0) as views
    from found f left join video v on v.channel_id = f.id group by 1
  ), seen as materialized (
    select v.channel_id as id, d.day, sum(d.views) as views
    from found f join video v on v.channel_id = f.id join video_view_day d on d.video_id = v.id
    where ${start === undefined ? sql.literal("true") : sql`d.day >= ${start}`}
    group by 1, 2
  ), span as (
    select f.id, ${start ?? sql.literal("least(f.made::date, min(s.day), current_date)")} as first
    from found f left join seen s on s.id = f.id group by f.id, f.made
  ), step as (
    select id, first, case when current_date - first > ${maxDays}::int then 'month' else 'day' end as unit from span
  ), counted as (
    select t.id, date_trunc(t.unit, s.day::timestamp) as moment, sum(s.views) as views
    from step t join seen s on s.id = t.id group by 1, 2
  ), daily as (
    select t.id, t.unit, array_agg(wire_time(m.moment at time zone 'UTC') order by m.moment) as dates,
      array_agg(coalesce(c.views, 0)::bigint order by m.moment) as series
    from step t cross join lateral generate_series(
      date_trunc(t.unit, t.first::timestamp), current_date::timestamp, ('1 ' || t.unit)::interval
    ) m (moment) left join counted c on c.id = t.id and c.moment = m.moment
    group by 1, 2
  ), figures as (
    select d.id, t.videos, t.views::bigint as views, d.unit, d.dates, d.series from daily d join total t on t.id = d.id
  )`
}
