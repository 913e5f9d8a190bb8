import { PgClient } from "@effect/sql-pg/PgClient"
import { Effect } from "effect"
import { readApplied } from "../../platform/migrations/AppliedSchema.ts"

/** Rows of each of these tables, whose names are as `quote_ident` gives them; 0 for one that is no more. */
export const countRows = Effect.fn("RowCounts.count")(function* (tables: ReadonlyArray<string>) {
  const sql = yield* PgClient
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [known] = yield* sql<{ name: string }>`
      select quote_ident(c.relname) as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and quote_ident(c.relname) = ${table}`
    const [row] =
      known === undefined ? [] : yield* sql.unsafe<{ rows: number }>(`select count(*)::int as rows from ${known.name}`)
    counts[table] = row?.rows ?? 0
  }
  return counts
})

/** The newest change of the schema that the database has. */
export const newestChange = Effect.gen(function* () {
  const { steps } = yield* readApplied(yield* PgClient)
  return steps.at(-1)?.id ?? 0
})
