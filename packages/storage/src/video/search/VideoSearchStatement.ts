import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { type ListedVideo, listedVideo, type VideoListStatement } from "../read/VideoListStatement.ts"
import { Parameters } from "../read/VideoQuery.ts"
import { orderBy } from "../read/VideoSorts.ts"
import { candidatesOf, hasPhrase, searchConditions, type Searching, weighedOf } from "./Searching.ts"
import type { SampleEstimate } from "./SampleEstimate.ts"
import type { SearchTerms } from "./SearchTerms.ts"

/**
 * From this many matches on, videos are read in the sort order until a page is full, instead of sorting all matches.
 */
const many = 20_000

/** Maximum number of videos read this way: the matches may all be at the end of the order. */
const maxWalked = 10_000

const page = ({ count, start }: VideoListQuery, parameters: Parameters): string =>
  start === 0 ? `limit ${Math.trunc(count)}` : `limit ${parameters.add(count)} offset ${parameters.add(start)}`

/** The number of matches, as `total`. */
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

/** Matches with at least this score step. */
const fromStep = (query: string, step: number | undefined, top: number): string => {
  if (step === undefined) return query
  const steps = Array.from({ length: Math.max(1, top - step + 1) }, (_, index) => `'%${step + index}'`)
  return `(${query}) & (${steps.join(" | ")})`
}

/** How the rows of a page are found. */
export type SearchWay =
  | { readonly _tag: "All" }
  /** The best by score. With more than enough matches, only those from these steps on are read. */
  | {
      readonly _tag: "Best"
      readonly titled: number | undefined
      readonly others: number | undefined
      readonly top: number
    }
  /** In sort order, until the page is full or the limit is reached. */
  | { readonly _tag: "Walk" }

/** Sort columns that `video_document` contains. */
const narrow: ReadonlySet<VideoSortColumn> = new Set(["publishedAt", "originallyPublishedAt", "duration"])

/** The cheapest plan. It may end before the page is full, unless it is `All`. */
export const wayOf = (
  { count, sort, start }: VideoListQuery,
  terms: SearchTerms,
  estimate: SampleEstimate,
  top: number
): SearchWay => {
  const { documents, found, others, titled } = estimate
  if (sort.by === "match") {
    // Phrases are searched from the best match on anyway.
    if (hasPhrase(terms)) return { _tag: "All" }
    if (titled === null && others === null) return { _tag: "All" }
    return { _tag: "Best", titled: titled ?? undefined, others: others ?? undefined, top }
  }
  const walked = ((start + count) * Math.max(documents, found)) / Math.max(1, found)
  return found >= many && walked * 2 <= maxWalked ? { _tag: "Walk" } : { _tag: "All" }
}

/** `chosen`: the best matches with their rank. Those with every word in name and tags come first, then the others. */
const chosenOf = (
  searching: Searching,
  terms: SearchTerms,
  way: SearchWay,
  match: string,
  where: string,
  parameters: Parameters
): string => {
  const max = candidatesOf(searching.query, terms)
  const place = "row_number() over (order by c.in_title desc, c.score desc, c.id desc) as place"
  const { titled, others, top } = way._tag === "Best" ? way : { titled: undefined, others: undefined, top: 0 }
  const ordered = (query: string) => `select v.id, v.score from video_document v
      where v.document @@ ${parameters.add(query)}::tsquery and ${where} order by v.score desc, v.id desc`
  // Documents with the words are read from the best one on, until enough contain the phrase.
  const select = (query: string) =>
    hasPhrase(terms)
      ? `select w.id, w.score from (${ordered(query)} offset 0) w
          where (select d.document @@ ${match}::tsquery from video_document d where d.id = w.id)`
      : ordered(query)
  const { match: found, titled: inTitle } = terms.coarse ?? terms
  const rest =
    titled === undefined
      ? `${select(fromStep(`(${found}) & !(${inTitle})`, others, top))}
        limit (select ${max} - count(*) from titled)`
      : "select id, score from titled where false"
  return `titled as materialized (${select(fromStep(inTitle, titled, top))} limit ${max}
    ), others as materialized (${rest}
    ), chosen as materialized (
      select c.*, ${place} from (
        select id, score, 1 as in_title from titled union all select id, score, 0 from others
      ) c
    )`
}

/** Ids of a page, best matches first, ranked. */
const bestFirst = (
  searching: Searching,
  terms: SearchTerms,
  way: SearchWay,
  blockers: string,
  parameters: Parameters
): string => {
  const where = searchConditions(searching, blockers, parameters)
  // A parameter that the text does not use would have no type.
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
  // Filtering and limiting keep the order of the inner query.
  if (way._tag === "Walk") {
    return `select w.id, 0 as candidates from (select v.id from video v where ${where} ${order} limit ${maxWalked}) w
      where (select d.document @@ ${match} from video_document d where d.id = w.id) ${limit}`
  }
  if (narrow.has(query.sort.by)) {
    return `select v.id, 0 as candidates from video_document v where v.document @@ ${match} and ${where} ${order} ${limit}`
  }
  return `select v.id, 0 as candidates from (
      select v.id from video_document v where v.document @@ ${match} and ${where} offset 0
    ) f join video v on v.id = f.id ${order} ${limit}`
}

/** A match. `candidates` is the number of matches that the best were chosen from, the same in each row. */
export interface FoundVideo extends ListedVideo {
  readonly candidates: number
}

/** One page of matches: rows of `FoundVideo`, in order. */
export const searchStatement = (searching: Searching, terms: SearchTerms, way: SearchWay): VideoListStatement => {
  const { query, scope, viewer } = searching
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const { columns, join } = listedVideo(query, viewer, scope, blockers, parameters)
  const ids = (query.sort.by === "match" ? bestFirst : sorted)(searching, terms, way, blockers, parameters)
  // Loops look up one video after the other, and so keep the order of the page.
  return {
    text: `select shown.*, p.candidates${columns} from (
        select o.id, o.candidates from (${ids}) o where cardinality(${blockers}::int[]) >= 0 offset 0
      ) p ${join}`,
    values: parameters.values
  }
}
