import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CountedTotals } from "../videos/reads/CountedTotals.ts"
import { outlookStatement, type SearchOutlook, topStep } from "./SearchOutlook.ts"
import { searchTerms } from "./SearchTerms.ts"
import { candidatesOf, type Searching } from "./Searching.ts"
import { foundStatement, hasPhrase, searchStatement, type SearchWay, wayOf } from "./VideoSearchStatement.ts"

interface Page {
  /** Items as JSON text, without the brackets around them. */
  readonly data: string
  readonly items: number
  readonly candidates: number | null
  /** How many there are, where the page was made of all. */
  readonly found: number | null
  /** Videos whose ready answer is missing. */
  readonly unready: ReadonlyArray<number> | null
}

export interface VideoSearchParts {
  readonly sql: SqlClient
  /** Remembers what counts came to. */
  readonly totals: CountedTotals<SqlError>
  /** Is told of videos whose ready answer is missing. */
  readonly asked: (videoIds: ReadonlyArray<number>) => Effect.Effect<void>
}

const nothing: Page = { data: "", items: 0, candidates: null, found: null, unready: null }

/** Below this, the total told is exact; and of now, unless phrases make it slow to count. */
const soonCounted = 5_000

/** The last page tells the total; another may show more than one remembered from before. */
const bodyOf = ({ count, skipCount, start }: VideoListQuery, total: number, { data, items }: Page): string => {
  if (skipCount) return `{"data":[${data}]}`
  const isLast = items < count && (items > 0 || start === 0)
  const shown = start + items
  return `{"total":${isLast ? shown : items === 0 ? total : Math.max(total, shown)},"data":[${data}]}`
}

/** Whether a way that reads less than all has come to its end before the page was sure. */
const isShort = ({ query }: Searching, way: SearchWay, page: Page): boolean =>
  way._tag === "Walk" ? page.items < query.count : way._tag === "Best" && (page.candidates ?? 0) < candidatesOf(query)

/**
 * Lists of videos that search for something. Makes a function that answers a page as JSON text, `{"total":…,"data":[…]}`,
 * without total when the query skips it. A total that takes long to count is that of a sample until it is counted.
 */
export const makeVideoSearch = ({ asked, sql, totals }: VideoSearchParts) =>
  Effect.fnUntraced(function* (searching: Searching, text: string) {
    const { query } = searching
    const terms = yield* searchTerms(sql, "video_document", text)
    if (terms === undefined) return bodyOf(query, 0, nothing)
    const sample = outlookStatement(searching, terms)
    const outlook = (yield* sql.unsafe<SearchOutlook>(sample.text, sample.values))[0]!

    const counting = Effect.suspend(() => {
      const { text: statement, values } = foundStatement(searching, terms)
      const count = Effect.map(sql.unsafe<{ total: number }>(statement, values), (rows) => rows[0]!.total)
      const isFew = outlook.found < soonCounted
      if (isFew && !hasPhrase(terms)) return count
      return totals(JSON.stringify([statement, values]), count, isFew ? undefined : outlook.found)
    })
    const paged = Effect.fnUntraced(function* (way: SearchWay) {
      const { text: statement, values } = searchStatement(searching, terms, way)
      return (yield* sql.unsafe<Page>(statement, values))[0]!
    })
    const way = wayOf(query, outlook, topStep(yield* Clock.currentTimeMillis))
    const paging = Effect.gen(function* () {
      if (query.count === 0) return nothing
      const quick = yield* paged(way)
      const page = isShort(searching, way, quick) ? yield* paged({ _tag: "All" }) : quick
      if (page.unready !== null) yield* asked(page.unready)
      return page
    })
    // Documents that are read for the page are not read again to count them.
    if (way._tag === "All" && query.sort.by === "match" && hasPhrase(terms) && query.count > 0) {
      const page = yield* paging
      const isKnown = query.skipCount || page.found !== null || query.start === 0
      return bodyOf(query, isKnown ? (page.found ?? 0) : yield* counting, page)
    }
    const [total, page] = yield* Effect.all([query.skipCount ? Effect.succeed(0) : counting, paging], {
      concurrency: 2
    })
    return bodyOf(query, total, page)
  })
