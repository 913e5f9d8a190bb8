import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../platform/database/Database.ts"
import type { PageByCreation, RunnerPage } from "./RunnerLists.ts"
import { removeRunners } from "./RunnerRemoval.ts"

/** A registration token as it is stored. */
export interface RegistrationTokenRow {
  readonly id: number
  readonly sealed: string
  readonly runners: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Registration tokens of runners. Stored as a digest, to find them by, and sealed, because administrators need to read
 * them again.
 */
export class RegistrationTokenRows extends Context.Service<
  RegistrationTokenRows,
  {
    /** Gives its row id. */
    readonly add: (token: {
      readonly hash: Uint8Array
      readonly sealed: string
    }) => Effect.Effect<number, DatabaseUnavailable>
    /** Adds the token if there is none at all. False if there is one. */
    readonly addFirst: (token: {
      readonly hash: Uint8Array
      readonly sealed: string
    }) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes a token with every runner that registered with it. False if there is none. */
    readonly remove: (id: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Names of the runners that registered with it. Undefined: there is no such token. */
    readonly values: (
      id: number
    ) => Effect.Effect<{ readonly runners: ReadonlyArray<string> } | undefined, DatabaseUnavailable>
    readonly list: (page: PageByCreation) => Effect.Effect<RunnerPage<RegistrationTokenRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/runners/RegistrationTokenRows") {
  static readonly layer = Layer.effect(
    RegistrationTokenRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const removeWhere = removeRunners(sql)
      return RegistrationTokenRows.of({
        add: Effect.fn("RegistrationTokenRows.add")(function* ({ hash, sealed }) {
          const [row] = yield* sql<{ id: number }>`
            insert into runner_registration_token (token_hash, sealed) values (${hash}, ${sealed}) returning id`
          return row!.id
        }, withDatabaseErrors),
        addFirst: Effect.fn("RegistrationTokenRows.addFirst")(
          function* ({ hash, sealed }) {
            // If several nodes start together, only one adds a token.
            yield* sql`lock table runner_registration_token in share row exclusive mode`
            const rows = yield* sql`
              insert into runner_registration_token (token_hash, sealed)
              select ${hash}::bytea, ${sealed}::text where not exists (select 1 from runner_registration_token)
              returning id`
            return rows.length > 0
          },
          sql.withTransaction,
          withDatabaseErrors
        ),
        remove: Effect.fn("RegistrationTokenRows.remove")(
          function* (id) {
            // Nobody registers with it from now on.
            const tokens = yield* sql`select 1 from runner_registration_token where id = ${id} for update`
            if (tokens.length === 0) return false
            yield* removeWhere(sql`r.registration_token_id = ${id}`)
            yield* sql`delete from runner_registration_token where id = ${id}`
            return true
          },
          sql.withTransaction,
          withDatabaseErrors
        ),
        values: Effect.fn("RegistrationTokenRows.values")(function* (id) {
          const [row] = yield* sql<{ runners: ReadonlyArray<string> }>`
            select array(select r.name from runner r where r.registration_token_id = t.id order by 1) as runners
            from runner_registration_token t where t.id = ${id}`
          return row
        }, withDatabaseErrors),
        list: Effect.fn("RegistrationTokenRows.list")(function* ({ count, descending, start }) {
          const way = sql.literal(descending ? "desc" : "asc")
          const totals = yield* sql<{ total: number }>`select count(*) as total from runner_registration_token`
          const data = yield* sql<RegistrationTokenRow>`
            select t.id, t.sealed, (select count(*) from runner r where r.registration_token_id = t.id) as runners,
              t.created_at as "createdAt", t.updated_at as "updatedAt"
            from runner_registration_token t order by t.created_at ${way}, t.id ${way} limit ${count} offset ${start}`
          return { total: totals[0]!.total, data }
        }, withDatabaseErrors)
      })
    })
  )
}
