import type { AbuseListQuery } from "@kinora/domain/requests/AbuseRequests"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Conditions on a report `b` with `searchTables` that a query of a list asks for. */
export const abuseFilters = (sql: SqlClient) => {
  const holds = (column: string, search: string) =>
    sql`search_text(${sql.literal(column)}) like search_pattern(${search})`

  /** Whether a name or a handle of an actor, or what it was called when it was reported, holds the text. */
  const reporterNamed = (search: string) =>
    sql.or([
      holds("r.display_name", search),
      holds(`ra.preferred_username::text || coalesce('@' || rs.host::text, '')`, search)
    ])
  const flaggedNamed = (search: string) =>
    sql.or([
      holds("f.display_name", search),
      holds(`fa.preferred_username::text || coalesce('@' || fs.host::text, '')`, search),
      sql`(b.kind = 'account' and ${sql.or([holds("b.target ->> 'name'", search), holds("b.target ->> 'displayName'", search)])})`
    ])
  const videoNamed = (search: string) =>
    holds("coalesce(v.name, cv.name, case when b.kind <> 'account' then b.target ->> 'name' end)", search)
  const channelNamed = (search: string) =>
    sql.or([holds("h.display_name", search), holds("ha.preferred_username::text", search)])

  const ofText = (search: string | undefined, named: (search: string) => Fragment): ReadonlyArray<Fragment> =>
    search === undefined || search === "" ? [] : [sql`(${named(search)})`]

  return (query: AbuseListQuery): ReadonlyArray<Fragment> => [
    ...(query.id === undefined ? [] : [sql`b.id = ${query.id}`]),
    // As a literal: those nobody has decided on have an index of their own.
    ...(query.state === undefined ? [] : [sql`b.state = ${sql.literal(String(query.state))}`]),
    ...(query.filter === undefined ? [] : [sql`b.kind = ${query.filter}`]),
    ...(query.predefinedReason === undefined
      ? []
      : [sql`b.predefined_reasons && ${query.predefinedReason}::smallint[]`]),
    ...(query.videoIs === undefined
      ? []
      : [
          query.videoIs === "deleted"
            ? sql`b.kind = 'video' and b.video_id is null`
            : sql`exists (select from video_blacklist k where k.video_id = b.video_id)`
        ]),
    ...ofText(query.searchReporter, reporterNamed),
    ...ofText(query.searchReportee, flaggedNamed),
    ...ofText(query.searchVideo, videoNamed),
    ...ofText(query.searchVideoChannel, channelNamed),
    ...ofText(query.search, (search) =>
      sql.or([
        holds("b.reason", search),
        reporterNamed(search),
        flaggedNamed(search),
        videoNamed(search),
        channelNamed(search),
        sql`(b.kind = 'comment' and ${holds("coalesce(c.text, b.target ->> 'text')", search)})`
      ])
    )
  ]
}
