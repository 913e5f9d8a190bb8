import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Columns of users whose values are sealed. */
const sealedColumns = ["otp_secret", "feed_token"] as const
export type SealedColumn = (typeof sealedColumns)[number]

export interface SealedValue {
  readonly userId: number
  readonly sealed: string
}

/** Sealed values of users, for the key check. */
export class SealedRows extends Context.Service<
  SealedRows,
  {
    /** The next values by user id, at most `count`. */
    readonly after: (
      column: SealedColumn,
      userId: number,
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
        after: Effect.fn("SealedRows.after")(function* (column, userId, count) {
          return yield* sql<SealedValue>`
            select id as "userId", ${sql(column)} as sealed from app_user
            where ${sql(column)} is not null and id > ${userId} order by id limit ${count}
          `
        }, withDatabaseErrors),
        replace: Effect.fn("SealedRows.replace")(function* (column, value, sealed) {
          yield* sql`
            update app_user set ${sql(column)} = ${sealed}
            where id = ${value.userId} and ${sql(column)} = ${value.sealed}
          `
        }, withDatabaseErrors)
      })
    })
  )
}
