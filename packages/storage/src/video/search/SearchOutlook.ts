import type { VideoListStatement } from "../read/VideoListStatement.ts"
import { Parameters } from "../read/VideoQuery.ts"
import type { SearchTerms } from "./SearchTerms.ts"
import { candidatesOf, searchConditions, type Searching } from "./Searching.ts"

/** What one in 64 documents tells of a search, with its filters. */
export interface SearchOutlook {
  /** How many are found, about. */
  readonly found: number
  /** How many documents there are, about. */
  readonly documents: number
  /** Step of the score from which on enough have every word in name and tags; null where not many have. */
  readonly titled: number | null
  /** The same of those that have not, where these are needed. */
  readonly others: number | null
}

const sampled = 64

/** For fewer than so many, reading them all is less work than choosing by score which to read. */
const plenty = 10_000

/** What a sample promises is promised again so many times, because it may be wrong. */
const margin = 3

/**
 * The highest step there can be: a video watched by everybody, published today.
 *
 * @param now milliseconds since 1970
 */
export const topStep = (now: number): number => Math.ceil(2 * (11 + now / 31_557_600_000 - 50))

/** Looks at the sample. */
export const outlookStatement = (searching: Searching, terms: SearchTerms): VideoListStatement => {
  const parameters = new Parameters()
  const blockers = parameters.add(searching.blockerIds)
  const where = searchConditions(searching, blockers, parameters)
  const scores = (query: string) => `select v.score from video_document v
    where v.document @@ ${parameters.add(`(${query}) & '~0'`)}::tsquery and ${where}`
  const { query } = searching
  const place = Math.ceil((margin * candidatesOf(query, terms)) / sampled)
  const documents = `(select greatest(reltuples, 0)::int from pg_class where oid = 'video_document'::regclass) as documents`
  const blocked = `cardinality(${blockers}::int[]) >= 0`
  if (query.sort.by !== "match") {
    return {
      text: `select count(*)::int * ${sampled} as found, ${documents}, null as titled, null as others
        from (${scores(terms.match)} and ${blocked}) s`,
      values: parameters.values
    }
  }
  const step = (from: string) => `(select floor(2 * score)::int from ${from}
    where (select count(*) from ${from}) >= ${Math.ceil(plenty / sampled)} order by score desc offset ${place - 1} limit 1)`
  return {
    text: `with titled as materialized (${scores(terms.titled)} and ${blocked}
      ), enough as materialized (select count(*) >= ${place} as titled, count(*) as n from titled
      ), others as materialized (${scores(`(${terms.match}) & !(${terms.titled})`)} and not (select titled from enough)
      ), every as materialized (${scores(terms.match)} and (select titled from enough))
      select ${documents}, ${step("titled")} as titled, ${step("others")} as others, ${sampled} * case
        when e.titled then (select count(*) from every) else e.n + (select count(*) from others)
      end as found from enough e`,
    values: parameters.values
  }
}
