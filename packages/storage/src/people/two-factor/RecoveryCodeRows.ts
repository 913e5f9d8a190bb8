import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Digests of the codes that stand in for an authenticator. They end with the second factor. */
export class RecoveryCodeRows extends Context.Service<
  RecoveryCodeRows,
  {
    /** Puts these in place of all that there are. False: the user has no second factor. */
    readonly replace: (userId: number, hashes: ReadonlyArray<Uint8Array>) => Effect.Effect<boolean, DatabaseUnavailable>
    /** How many are left. */
    readonly count: (userId: number) => Effect.Effect<number, DatabaseUnavailable>
    /** Uses one up. False: it is none, or was used. If two requests use the same at once, one gets true. */
    readonly use: (userId: number, hash: Uint8Array) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/twofactor/RecoveryCodeRows") {
  static readonly layer = Layer.effect(
    RecoveryCodeRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const replace = Effect.fn("RecoveryCodeRows.replace")(
        function* (userId: number, hashes: ReadonlyArray<Uint8Array>) {
          // The lock makes two replacements follow each other, and makes the factor stay until these are there.
          const users = yield* sql`select id from app_user where id = ${userId} and otp_secret is not null for update`
          if (users.length === 0) return false
          yield* sql`delete from two_factor_recovery_code where user_id = ${userId}`
          const hex = hashes.map((hash) => Buffer.from(hash).toString("hex"))
          yield* sql`
            insert into two_factor_recovery_code (user_id, hash)
            select ${userId}::int, decode(code, 'hex') from unnest(${hex}::text[]) as code
          `
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const count = Effect.fn("RecoveryCodeRows.count")(function* (userId: number) {
        const rows = yield* sql<{ count: number }>`
          select count(*)::int as count from two_factor_recovery_code where user_id = ${userId}
        `
        return rows[0]!.count
      }, withDatabaseErrors)

      const use = Effect.fn("RecoveryCodeRows.use")(function* (userId: number, hash: Uint8Array) {
        const rows = yield* sql`
          delete from two_factor_recovery_code where user_id = ${userId} and hash = ${hash} returning user_id
        `
        return rows.length > 0
      }, withDatabaseErrors)

      return RecoveryCodeRows.of({ replace, count, use })
    })
  )
}
