import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { videoItem, type VideoListStatement } from "../read/VideoListStatement.ts"
import { Parameters } from "../read/VideoQuery.ts"
import { orderBy } from "../read/VideoSorts.ts"
import { candidatesOf, hasPhrase, searchConditions, type Searching, weighedOf } from "./Searching.ts"
import type { SearchOutlook } from "./SearchOutlook.ts"
import type { SearchTerms } from "./SearchTerms.ts"

/** From so many found on, the order of a sort is walked until a page is full, instead of sorting what was found. */
const many = 20_000

/** So many videos are looked at on such a walk, and no more: words may be where the order has its end. */
const mostWalked = 10_000

const page = ({ count, start }: VideoListQuery, parameters: Parameters): string =>
  start === 0 ? `limit ${Math.trunc(count)}` : `limit ${parameters.add(count)} offset ${parameters.add(start)}`

/** How many videos are found, as `total`. */
export const foundStatement = (searching: Searching, terms: SearchTerms): VideoListStatement => {
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const match = parameters.add(terms.match)
  const where = searchConditions(searching, blockers, parameters)
  return {
    text: `select count(*) as total from video_document v
      where v.document @@ ${match}::tsquery and ${where} and cardinality(${blockers}::int[]) >= 0`,
    values: parameters.values
  }
}

/** What has this and a score from this step on. */
const fromStep = (query: string, step: number | undefined, top: number): string => {
  if (step === undefined) return query
  const steps = Array.from({ length: Math.max(1, top - step + 1) }, (_, index) => `'%${step + index}'`)
  return `(${query}) & (${steps.join(" | ")})`
}

/** How the rows of a page are found. */
export type SearchWay =
  | { readonly _tag: "All" }
  /** The best by score; steps from which on they are read, where there are more than enough. */
  | {
      readonly _tag: "Best"
      readonly titled: number | undefined
      readonly others: number | undefined
      readonly top: number
    }
  /** In the order of the sort, until the page is full or enough was looked at. */
  | { readonly _tag: "Walk" }

/** Columns of `video_document` a sort can do with. */
const narrow: ReadonlySet<VideoSortColumn> = new Set(["publishedAt", "originallyPublishedAt", "duration"])

/** The way that reads least: it may end before the page is full, unless it is `All`. */
export const wayOf = (
  { count, sort, start }: VideoListQuery,
  terms: SearchTerms,
  outlook: SearchOutlook,
  top: number
): SearchWay => {
  const { documents, found, others, titled } = outlook
  if (sort.by === "match") {
    // Rows of words are looked for from the best on anyway.
    if (hasPhrase(terms)) return { _tag: "All" }
    if (titled === null && others === null) return { _tag: "All" }
    return { _tag: "Best", titled: titled ?? undefined, others: others ?? undefined, top }
  }
  const walked = ((start + count) * Math.max(documents, found)) / Math.max(1, found)
  return found >= many && walked * 2 <= mostWalked ? { _tag: "Walk" } : { _tag: "All" }
}

/** `chosen`, the best with their place: those with every word in name and tags, then the others. */
const chosenOf = (
  searching: Searching,
  terms: SearchTerms,
  way: SearchWay,
  match: string,
  where: string,
  parameters: Parameters
): string => {
  const most = candidatesOf(searching.query, terms)
  const place = "row_number() over (order by c.in_title desc, c.score desc, c.id desc) as place"
  const { titled, others, top } = way._tag === "Best" ? way : { titled: undefined, others: undefined, top: 0 }
  const ordered = (query: string) => `select v.id, v.score from video_document v
      where v.document @@ ${parameters.add(query)}::tsquery and ${where} order by v.score desc, v.id desc`
  // What has the words is read from the best on, until enough have them in a row.
  const select = (query: string) =>
    hasPhrase(terms)
      ? `select w.id, w.score from (${ordered(query)} offset 0) w
          where (select d.document @@ ${match}::tsquery from video_document d where d.id = w.id)`
      : ordered(query)
  const { match: found, titled: inTitle } = terms.coarse ?? terms
  const rest =
    titled === undefined
      ? `${select(fromStep(`(${found}) & !(${inTitle})`, others, top))}
        limit (select ${most} - count(*) from titled)`
      : "select id, score from titled where false"
  return `titled as materialized (${select(fromStep(inTitle, titled, top))} limit ${most}
    ), others as materialized (${rest}
    ), chosen as materialized (
      select c.*, ${place} from (
        select id, score, 1 as in_title from titled union all select id, score, 0 from others
      ) c
    )`
}

/** Ids of a page, the best first, weighed. */
const bestFirst = (
  searching: Searching,
  terms: SearchTerms,
  way: SearchWay,
  blockers: string,
  parameters: Parameters
): string => {
  const where = searchConditions(searching, blockers, parameters)
  // A value that no text asks for has no type.
  const match = hasPhrase(terms) ? parameters.add(terms.match) : ""
  const weighed = parameters.add(terms.weighed ?? terms.match)
  const best = weighedOf(terms)
  return `with ${chosenOf(searching, terms, way, match, where, parameters)}
    select c.id, (select count(*) from chosen) as candidates from chosen c
    order by c.place > ${best}, case when c.place <= ${best} then (
      select ts_rank('{0.05, 0.2, 0.6, 1}', d.document, ${weighed}::tsquery) + c.in_title + c.score / 10
      from video_document d where d.id = c.id
    ) end desc, c.place ${page(searching.query, parameters)}`
}

const sorted = (
  searching: Searching,
  terms: SearchTerms,
  way: SearchWay,
  blockers: string,
  parameters: Parameters
): string => {
  const { query } = searching
  const match = `${parameters.add(terms.match)}::tsquery`
  const where = searchConditions(searching, blockers, parameters)
  const order = `order by ${orderBy(query.sort)}`
  const limit = page(query, parameters)
  // What is filtered and cut stays in the order in which it comes.
  if (way._tag === "Walk") {
    return `select w.id, 0 as candidates from (select v.id from video v where ${where} ${order} limit ${mostWalked}) w
      where (select d.document @@ ${match} from video_document d where d.id = w.id) ${limit}`
  }
  if (narrow.has(query.sort.by)) {
    return `select v.id, 0 as candidates from video_document v where v.document @@ ${match} and ${where} ${order} ${limit}`
  }
  return `select v.id, 0 as candidates from (
      select v.id from video_document v where v.document @@ ${match} and ${where} offset 0
    ) f join video v on v.id = f.id ${order} ${limit}`
}

/**
 * One page of what is found: `data`, its items as JSON text one after the other; how many `items`; in `unready` the ids of
 * those whose ready answer is missing; and how many `candidates` the best were chosen from.
 */
export const searchStatement = (searching: Searching, terms: SearchTerms, way: SearchWay): VideoListStatement => {
  const { query, scope, viewer } = searching
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const item = videoItem(query, viewer, scope, blockers, parameters, "p.ready")
  const ids = (query.sort.by === "match" ? bestFirst : sorted)(searching, terms, way, blockers, parameters)
  return {
    text: `select coalesce(string_agg(${item}, ','), '') as data, count(*) as items, max(p.candidates) as candidates,
      array_agg(p.id) filter (where p.ready is null) as unready from (
        select o.id, o.candidates, (select w.summary from video_wire w where w.video_id = o.id) as ready from (${ids}) o
        where cardinality(${blockers}::int[]) >= 0 offset 0
      ) p`,
    values: parameters.values
  }
}
