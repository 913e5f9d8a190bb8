import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * One statement that answers a whole page as JSON text, `{"total":…,"data":[…]}`.
 *
 * @param total a query of one number
 * @param items a query of `item` (JSON text) and `position` (its place on the page)
 */
export const jsonPage = (sql: SqlClient, total: Fragment, items: Fragment) =>
  Effect.map(
    sql<{ body: string }>`
      select '{"total":' || (${total}) || ',"data":[' || coalesce(string_agg(p.item, ',' order by p.position), '') || ']}'
        as body
      from (${items}) p
    `,
    (rows) => rows[0]!.body
  )

/** Direction of an order, to be said of each of its columns: the last has to be one that is never equal. */
export const direction = (sql: SqlClient, descending: boolean): Fragment => sql.literal(descending ? "desc" : "asc")

/**
 * Bounds of a page. The number, which was decoded as one, stands in the text: a limit the planner knows keeps it from
 * planning for a tenth of the table.
 */
export const limit = (sql: SqlClient, page: { readonly start: number; readonly count: number }): Fragment =>
  page.start === 0 ? sql.literal(`limit ${Math.trunc(page.count)}`) : sql`limit ${page.count} offset ${page.start}`
