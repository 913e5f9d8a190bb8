import type { VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { searchTerms } from "./SearchTerms.ts"
import { foundStatement, needsTotal, type Searching, searchStatement } from "./VideoSearchStatement.ts"

interface Page {
  /** Items as JSON text, without the brackets around them. */
  readonly data: string
  readonly items: number
  /** Videos whose ready answer is missing. */
  readonly unready: ReadonlyArray<number> | null
}

export interface VideoSearchParts {
  readonly sql: SqlClient
  /** Remembers what counts came to, see `makeCountedTotals`. */
  readonly totals: (key: string, count: Effect.Effect<number, SqlError>) => Effect.Effect<number, SqlError>
  /** Is told of videos whose ready answer is missing. */
  readonly asked: (videoIds: ReadonlyArray<number>) => Effect.Effect<void>
}

const nothing: Page = { data: "", items: 0, unready: null }

/** A remembered total may be older than what the page shows. */
const bodyOf = ({ skipCount, start }: VideoListQuery, total: number, { data, items }: Page): string =>
  skipCount
    ? `{"data":[${data}]}`
    : `{"total":${items === 0 ? total : Math.max(total, start + items)},"data":[${data}]}`

/**
 * Lists of videos that search for something. Makes a function that answers a page as JSON text, `{"total":…,"data":[…]}`,
 * without total when the query skips it.
 */
export const makeVideoSearch = ({ asked, sql, totals }: VideoSearchParts) =>
  Effect.fnUntraced(function* (searching: Searching, text: string) {
    const { count, skipCount, sort } = searching.query
    const terms = yield* searchTerms(sql, "video_document", text)
    if (terms === undefined) return bodyOf(searching.query, 0, nothing)

    const counting = Effect.suspend(() => {
      const { text: statement, values } = foundStatement(searching, terms)
      return totals(
        JSON.stringify([statement, values]),
        Effect.map(sql.unsafe<{ total: number }>(statement, values), (rows) => rows[0]!.total)
      )
    })
    const paging = Effect.fnUntraced(function* (total: number) {
      if (count === 0) return nothing
      const { text: statement, values } = searchStatement(searching, terms, total)
      const page = (yield* sql.unsafe<Page>(statement, values))[0]!
      if (page.unready !== null) yield* asked(page.unready)
      return page
    })

    // Where the way to a page depends on how much is found, that is known first; else both are done at once.
    if (needsTotal(sort.by)) {
      const total = yield* counting
      return bodyOf(searching.query, total, yield* paging(total))
    }
    const [total, page] = yield* Effect.all([skipCount ? Effect.succeed(0) : counting, paging(0)], { concurrency: 2 })
    return bodyOf(searching.query, total, page)
  })
