import type { SqlClient } from "effect/sql/SqlClient"

/** Longest span that is told by day; longer ones are told by month. */
const mostDays = 92

/**
 * Common table expressions that end with `figures (id, text)`: the figures of each channel of the expression
 * `found (id, made, …)`, as members to be appended to its JSON text, beginning with a comma. They are videosCount,
 * totalViews, and views by day or month (UTC) with a value for every one of the span, most of them 0.
 *
 * @param days length of the span, today included; 0 begins with the channel, or with the oldest views counted
 */
export const channelFigures = (sql: SqlClient, days: 0 | 30 | 90 | 365) => {
  // In the text, so that the planner knows how much of the table a span is.
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
    select id, first, case when current_date - first > ${mostDays}::int then 'month' else 'day' end as unit from span
  ), counted as (
    select t.id, date_trunc(t.unit, s.day::timestamp) as moment, sum(s.views) as views
    from step t join seen s on s.id = t.id group by 1, 2
  ), daily as (
    select t.id, t.unit, string_agg(
      '{"date":"' || wire_time(m.moment at time zone 'UTC') || '","views":' || coalesce(c.views, 0) || '}', ','
      order by m.moment
    ) as series
    from step t cross join lateral generate_series(
      date_trunc(t.unit, t.first::timestamp), current_date::timestamp, ('1 ' || t.unit)::interval
    ) m (moment) left join counted c on c.id = t.id and c.moment = m.moment
    group by 1, 2
  ), figures as (
    select d.id, ',"videosCount":' || t.videos || ',"totalViews":' || t.views || ',"viewsGroupInterval":"1 ' || d.unit
      || '","viewsPerDay":[' || d.series || ']' as text
    from daily d join total t on t.id = d.id
  )`
}
