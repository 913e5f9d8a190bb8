import type { VideoListStatement } from "../read/VideoListStatement.ts"
import { Parameters } from "../read/VideoQuery.ts"
import type { SearchTerms } from "./SearchTerms.ts"
import { candidatesOf, searchConditions, type Searching } from "./Searching.ts"

/** An estimate for a search with its filters, from a sample of one in 64 documents. */
export interface SampleEstimate {
  /** Estimated number of matches. */
  readonly found: number
  /** Estimated number of documents. */
  readonly documents: number
  /** Score step from which on there are enough matches with every word in name and tags. Null if there are not many. */
  readonly titled: number | null
  /** The same for the other matches, if they are needed. */
  readonly others: number | null
}

const sampled = 64

/** Below this number, reading all matches is cheaper than selecting them by score. */
const plenty = 10_000

/** Safety factor, because the sample may be wrong. */
const margin = 3

/**
 * The highest possible step: a video that everybody watched, published today.
 *
 * @param now milliseconds since 1970
 */
export const topStep = (now: number): number => Math.ceil(2 * (11 + now / 31_557_600_000 - 50))

/** The statement that reads the sample. */
export const estimateStatement = (searching: Searching, terms: SearchTerms): VideoListStatement => {
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
