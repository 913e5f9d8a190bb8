import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CountedTotals } from "../read/CountedTotals.ts"
import { outlookStatement, type SearchOutlook, topStep } from "./SearchOutlook.ts"
import { consenting, type SearchTerms, searchTerms } from "./SearchTerms.ts"
import { candidatesOf, hasPhrase, type Searching } from "./Searching.ts"
import { foundStatement, searchStatement, type SearchWay, wayOf } from "./VideoSearchStatement.ts"

interface Page {
  /** Items as JSON text, without the brackets around them. */
  readonly data: string
  readonly items: number
  readonly candidates: number | null
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

const nothing: Page = { data: "", items: 0, candidates: null, unready: null }

/** Below this, the total told is exact, unless words have to stand in a row; below the other, it is that of now. */
const soonCounted = 5_000
const worthRemembering = 500

/** What a sample told is taken for true for so long, in milliseconds: no more than the way to a page depends on it. */
const outlookHolds = 60_000
const mostOutlooks = 1_000

/** The last page tells the total; another may show more than one remembered from before. */
const bodyOf = ({ count, skipCount, start }: VideoListQuery, total: number, { data, items }: Page): string => {
  if (skipCount) return `{"data":[${data}]}`
  const isLast = items < count && (items > 0 || start === 0)
  const shown = start + items
  return `{"total":${isLast ? shown : items === 0 ? total : Math.max(total, shown)},"data":[${data}]}`
}

/** Whether a way that reads less than all has come to its end before the page was sure. */
const isShort = ({ query }: Searching, terms: SearchTerms, way: SearchWay, page: Page): boolean =>
  way._tag === "Walk"
    ? page.items < query.count
    : way._tag === "Best" && (page.candidates ?? 0) < candidatesOf(query, terms)

/**
 * Lists of videos that search for something. Makes a function that answers a page as JSON text, `{"total":…,"data":[…]}`,
 * without total when the query skips it. A total that takes long to count is that of a sample until it is counted.
 */
export const makeVideoSearch = ({ asked, sql, totals }: VideoSearchParts) => {
  const outlooks = new Map<string, { readonly outlook: SearchOutlook; readonly until: number }>()

  const outlookOf = Effect.fnUntraced(function* (searching: Searching, terms: SearchTerms) {
    const { text, values } = outlookStatement(searching, terms)
    const key = JSON.stringify([text, values])
    const now = yield* Clock.currentTimeMillis
    const known = outlooks.get(key)
    if (known !== undefined && now < known.until) return known.outlook
    const outlook = (yield* sql.unsafe<SearchOutlook>(text, values))[0]!
    if (outlooks.size >= mostOutlooks) outlooks.clear()
    outlooks.set(key, { outlook, until: now + outlookHolds })
    return outlook
  })

  return Effect.fnUntraced(function* (searching: Searching, text: string) {
    const { query } = searching
    const read = yield* searchTerms(sql, "video_document", text)
    if (read === undefined) return bodyOf(query, 0, nothing)
    const terms = searching.scope?._tag === "Mine" ? read : consenting(read)
    const outlook = yield* outlookOf(searching, terms)

    const counting = Effect.suspend(() => {
      const { text: statement, values } = foundStatement(searching, terms)
      const count = Effect.map(sql.unsafe<{ total: number }>(statement, values), (rows) => rows[0]!.total)
      const isSoon = outlook.found < soonCounted && !hasPhrase(terms)
      if (isSoon && outlook.found < worthRemembering) return count
      return totals(JSON.stringify([statement, values]), count, isSoon ? undefined : outlook.found)
    })
    const paged = Effect.fnUntraced(function* (way: SearchWay) {
      const { text: statement, values } = searchStatement(searching, terms, way)
      return (yield* sql.unsafe<Page>(statement, values))[0]!
    })
    const way = wayOf(query, terms, outlook, topStep(yield* Clock.currentTimeMillis))
    const paging = Effect.gen(function* () {
      if (query.count === 0) return nothing
      const quick = yield* paged(way)
      const page = isShort(searching, terms, way, quick) ? yield* paged({ _tag: "All" }) : quick
      if (page.unready !== null) yield* asked(page.unready)
      return page
    })
    const [total, page] = yield* Effect.all([query.skipCount ? Effect.succeed(0) : counting, paging], {
      concurrency: 2
    })
    return bodyOf(query, total, page)
  })
}
