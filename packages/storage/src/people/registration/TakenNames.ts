import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/**
 * Those of the names that a local actor has, or that a pending registration asks for as username or channel; in lower
 * case.
 */
export const takenNames = Effect.fnUntraced(function* (sql: SqlClient, wanted: ReadonlyArray<string>) {
  const rows = yield* sql<{ name: string }>`
    select lower(n.name::text) as name
    from (select distinct unnest(${wanted}::text[])::citext as name) as n
    where exists (select 1 from actor a where a.preferred_username = n.name and a.server_id is null)
      or exists (select 1 from user_registration r where r.username = n.name and r.state = 1)
      or exists (select 1 from user_registration r where r.channel_handle = n.name and r.state = 1)
  `
  return new Set(rows.map((row) => row.name)) as ReadonlySet<string>
})

/**
 * Names and email addresses that are taken: by local actors and users, or by pending registrations. All are compared
 * without case.
 */
export class TakenNames extends Context.Service<
  TakenNames,
  {
    /** Those of the names that are taken, in lower case. Accounts and channels share one namespace. */
    readonly names: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    /** Whether a user has the address, or a pending registration asks for it. */
    readonly email: (email: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/registrations/TakenNames") {
  static readonly layer = Layer.effect(
    TakenNames,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const names = Effect.fn("TakenNames.names")(
        (wanted: ReadonlyArray<string>) => takenNames(sql, wanted),
        withDatabaseErrors
      )

      const email = Effect.fn("TakenNames.email")(function* (wanted: string) {
        const rows = yield* sql<{ taken: boolean }>`
          select exists (select 1 from app_user where email = ${wanted}::citext)
            or exists (select 1 from user_registration where email = ${wanted}::citext and state = 1) as taken
        `
        return rows[0]!.taken
      }, withDatabaseErrors)

      return TakenNames.of({ names, email })
    })
  )
}
