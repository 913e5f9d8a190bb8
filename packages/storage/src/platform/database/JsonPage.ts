import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Sort direction, to be repeated for each column of the order. The last column must be unique. */
export const direction = (sql: SqlClient, descending: boolean): Fragment => sql.literal(descending ? "desc" : "asc")

/**
 * Bounds of a page. The numbers were decoded and are literals in the text: if the planner did not know the limit, it
 * would plan for a tenth of the table.
 */
export const limit = (sql: SqlClient, page: { readonly start: number; readonly count: number }): Fragment =>
  page.start === 0 ? sql.literal(`limit ${Math.trunc(page.count)}`) : sql`limit ${page.count} offset ${page.start}`
