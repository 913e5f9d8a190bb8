import { includes, VideoInclude } from "@kinora/domain/enums/VideoInclude"
import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { videoFilter } from "../videos/reads/VideoFilters.ts"
import { notBlocked, videoItem, type VideoListStatement } from "../videos/reads/VideoListStatement.ts"
import { Parameters, type VideoScope, type VideoViewer } from "../videos/reads/VideoQuery.ts"
import { orderBy } from "../videos/reads/VideoSorts.ts"
import type { SearchTerms } from "./SearchTerms.ts"

/** Who searches, where, and whose blocks count. */
export interface Searching {
  readonly query: VideoListQuery
  readonly viewer: VideoViewer | undefined
  readonly scope: VideoScope | undefined
  readonly blockerIds: ReadonlyArray<number>
}

/**
 * How many of the best by name, tags, interest and youth are weighed word by word. What comes after them stays in the
 * order in which they were chosen, so that a word everybody uses costs no more than reading narrow rows.
 */
const weighed = 500

/** From so many found on, the order of a sort is walked until a page is full, instead of sorting what was found. */
const many = 20_000

const conditions = ({ query, viewer, scope }: Searching, blockers: string, parameters: Parameters): string => {
  const filter = videoFilter(query, viewer, scope, parameters)
  const unblocked = scope?._tag === "Mine" || includes(query.include ?? 0, VideoInclude.blockedOwner)
  const all = [...filter.conditions, ...(unblocked ? [] : notBlocked(blockers))]
  return all.length === 0 ? "true" : all.join(" and ")
}

const page = ({ count, start }: VideoListQuery, parameters: Parameters): string =>
  start === 0 ? `limit ${Math.trunc(count)}` : `limit ${parameters.add(count)} offset ${parameters.add(start)}`

/** How many videos are found, as `total`. */
export const foundStatement = (searching: Searching, terms: SearchTerms): VideoListStatement => {
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const match = parameters.add(terms.match)
  const where = conditions(searching, blockers, parameters)
  return {
    text: `select count(*) as total from video_document v
      where v.document @@ ${match}::tsquery and ${where} and cardinality(${blockers}::int[]) >= 0`,
    values: parameters.values
  }
}

/** Ids of a page, the best first: those with every word in name and tags, then the others, both weighed. */
const bestFirst = (searching: Searching, terms: SearchTerms, blockers: string, parameters: Parameters): string => {
  const { count, start } = searching.query
  const titled = parameters.add(terms.titled)
  const rest = parameters.add(`(${terms.match}) & !(${terms.titled})`)
  const match = parameters.add(terms.match)
  const where = conditions(searching, blockers, parameters)
  const most = Math.max(weighed, start + count)
  return `with titled as materialized (
      select v.id, v.score from video_document v where v.document @@ ${titled}::tsquery and ${where}
      order by v.score desc, v.id desc limit ${most}
    ), others as materialized (
      select v.id, v.score from video_document v where v.document @@ ${rest}::tsquery and ${where}
      order by v.score desc, v.id desc limit (select ${most} - count(*) from titled)
    ), chosen as (
      select c.*, row_number() over (order by c.in_title desc, c.score desc, c.id desc) as place from (
        select id, score, 1 as in_title from titled union all select id, score, 0 from others
      ) c
    )
    select c.id from chosen c order by c.place > ${weighed}, case when c.place <= ${weighed} then (
      select ts_rank('{0.05, 0.2, 0.6, 1}', d.document, ${match}::tsquery) + c.in_title + c.score / 10
      from video_document d where d.id = c.id
    ) end desc, c.place ${page(searching.query, parameters)}`
}

/** Columns of `video_document` a sort can do with. */
const narrow: ReadonlySet<VideoSortColumn> = new Set(["publishedAt", "originallyPublishedAt", "duration"])

const sorted = (
  searching: Searching,
  terms: SearchTerms,
  total: number,
  blockers: string,
  parameters: Parameters
): string => {
  const { query } = searching
  const match = `${parameters.add(terms.match)}::tsquery`
  const where = conditions(searching, blockers, parameters)
  const order = `order by ${orderBy(query.sort)} ${page(query, parameters)}`
  if (narrow.has(query.sort.by))
    return `select v.id from video_document v where v.document @@ ${match} and ${where} ${order}`
  if (total >= many) {
    return `select v.id from video v where ${where}
      and (select d.document @@ ${match} from video_document d where d.id = v.id) ${order}`
  }
  return `select v.id from (
      select v.id from video_document v where v.document @@ ${match} and ${where} offset 0
    ) f join video v on v.id = f.id ${order}`
}

/** Whether the statement of a page depends on how many are found. */
export const needsTotal = (by: VideoSortColumn): boolean => by !== "match" && !narrow.has(by)

/**
 * One page of what is found: `data`, its items as JSON text one after the other; how many `items`; in `unready` the ids of
 * those whose ready answer is missing. `total` is how many are found, where it is needed.
 */
export const searchStatement = (searching: Searching, terms: SearchTerms, total: number): VideoListStatement => {
  const { query, scope, viewer } = searching
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const item = videoItem(query, viewer, scope, blockers, parameters, "p.ready")
  const ids =
    query.sort.by === "match"
      ? bestFirst(searching, terms, blockers, parameters)
      : sorted(searching, terms, total, blockers, parameters)
  return {
    text: `select coalesce(string_agg(${item}, ','), '') as data, count(*) as items,
      array_agg(p.id) filter (where p.ready is null) as unready from (
        select o.id, (select w.summary from video_wire w where w.video_id = o.id) as ready from (${ids}) o
        where cardinality(${blockers}::int[]) >= 0 offset 0
      ) p`,
    values: parameters.values
  }
}
