import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Columns whose values are sealed, and their tables. */
const tables = {
  otp_secret: "app_user",
  feed_token: "app_user",
  sealed_secret: "webhook",
  former_sealed_secret: "webhook"
} as const
export type SealedColumn = keyof typeof tables

export interface SealedValue {
  /** Of the row. */
  readonly id: number
  readonly sealed: string
}

/** Sealed values, for the key check. */
export class SealedRows extends Context.Service<
  SealedRows,
  {
    /** The next values by row id, at most `count`. */
    readonly after: (
      column: SealedColumn,
      id: number,
      count: number
    ) => Effect.Effect<ReadonlyArray<SealedValue>, DatabaseUnavailable>
    /** Stores the same value sealed again, unless it changed meanwhile. */
    readonly replace: (
      column: SealedColumn,
      value: SealedValue,
      sealed: string
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/twofactor/SealedRows") {
  static readonly layer = Layer.effect(
    SealedRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return SealedRows.of({
        after: Effect.fn("SealedRows.after")(function* (column, id, count) {
          return yield* sql<SealedValue>`
            select id, ${sql(column)} as sealed from ${sql(tables[column])}
            where ${sql(column)} is not null and id > ${id} order by id limit ${count}
          `
        }, withDatabaseErrors),
        replace: Effect.fn("SealedRows.replace")(function* (column, value, sealed) {
          yield* sql`
            update ${sql(tables[column])} set ${sql(column)} = ${sealed}
            where id = ${value.id} and ${sql(column)} = ${value.sealed}
          `
        }, withDatabaseErrors)
      })
    })
  )
}
