import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CountedTotals } from "../read/CountedTotals.ts"
import type { VideoItems } from "../read/VideoItems.ts"
import { estimateStatement, type SampleEstimate, topStep } from "./SampleEstimate.ts"
import { consenting, type SearchTerms, searchTerms } from "./SearchTerms.ts"
import { candidatesOf, hasPhrase, type Searching } from "./Searching.ts"
import { type FoundVideo, foundStatement, searchStatement, type SearchWay, wayOf } from "./VideoSearchStatement.ts"

interface Page {
  /** Items as JSON text, without enclosing brackets. */
  readonly data: string
  readonly items: number
}

export interface VideoSearchParts {
  readonly sql: SqlClient
  /** Remembers totals. */
  readonly totals: CountedTotals<SqlError>
  /** Builds JSON text from rows. */
  readonly items: VideoItems
}

const nothing: Page = { data: "", items: 0 }

/** Below this, the total is exact, except for phrases; below `worthRemembering`, it is also current. */
const soonCounted = 5_000
const worthRemembering = 500

/** Milliseconds for which an estimate stays valid: only the choice of the query plan depends on it. */
const estimateHolds = 60_000
const maxEstimates = 1_000

/** The last page shows the real total. Another page may contain more than a remembered total says. */
const bodyOf = ({ count, skipCount, start }: VideoListQuery, total: number, { data, items }: Page): Json<VideoList> => {
  if (skipCount) return jsonOf(`{"data":[${data}]}`)
  const isLast = items < count && (items > 0 || start === 0)
  const shown = start + items
  return jsonOf(`{"total":${isLast ? shown : items === 0 ? total : Math.max(total, shown)},"data":[${data}]}`)
}

/** Whether a plan that reads only part of the matches ended before the page was full. */
const isShort = ({ query }: Searching, terms: SearchTerms, way: SearchWay, rows: ReadonlyArray<FoundVideo>): boolean =>
  way._tag === "Walk"
    ? rows.length < query.count
    : way._tag === "Best" && (rows[0]?.candidates ?? 0) < candidatesOf(query, terms)

/**
 * Searches videos. Returns a function that answers a page as JSON text, `{"total":…,"data":[…]}`, without total if the
 * query skips it. A total that takes long to count is estimated from a sample until it is counted.
 */
export const makeVideoSearch = ({ items, sql, totals }: VideoSearchParts) => {
  const estimates = new Map<string, { readonly estimate: SampleEstimate; readonly until: number }>()

  const estimateOf = Effect.fnUntraced(function* (searching: Searching, terms: SearchTerms) {
    const { text, values } = estimateStatement(searching, terms)
    const key = JSON.stringify([text, values])
    const now = yield* Clock.currentTimeMillis
    const known = estimates.get(key)
    if (known !== undefined && now < known.until) return known.estimate
    const estimate = (yield* sql.unsafe<SampleEstimate>(text, values))[0]!
    if (estimates.size >= maxEstimates) estimates.clear()
    estimates.set(key, { estimate, until: now + estimateHolds })
    return estimate
  })

  return Effect.fnUntraced(function* (searching: Searching, text: string) {
    const { query } = searching
    const read = yield* searchTerms(sql, "video_document", text)
    if (read === undefined) return bodyOf(query, 0, nothing)
    const terms = searching.scope?._tag === "Mine" ? read : consenting(read)
    const estimate = yield* estimateOf(searching, terms)

    const counting = Effect.suspend(() => {
      const { text: statement, values } = foundStatement(searching, terms)
      const count = Effect.map(sql.unsafe<{ total: number }>(statement, values), (rows) => rows[0]!.total)
      const isSoon = estimate.found < soonCounted && !hasPhrase(terms)
      if (isSoon && estimate.found < worthRemembering) return count
      return totals(JSON.stringify([statement, values]), count, isSoon ? undefined : estimate.found)
    })
    const paged = Effect.fnUntraced(function* (way: SearchWay) {
      const { text: statement, values } = searchStatement(searching, terms, way)
      return yield* sql.unsafe<FoundVideo>(statement, values)
    })
    const way = wayOf(query, terms, estimate, topStep(yield* Clock.currentTimeMillis))
    const paging = Effect.gen(function* () {
      if (query.count === 0) return nothing
      const quick = yield* paged(way)
      const rows = isShort(searching, terms, way, quick) ? yield* paged({ _tag: "All" }) : quick
      return { data: (yield* items(rows, query)).join(), items: rows.length }
    })
    const [total, page] = yield* Effect.all([query.skipCount ? Effect.succeed(0) : counting, paging], {
      concurrency: 2
    })
    return bodyOf(query, total, page)
  })
}
