import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { isActorNamed } from "../actor/ActorNamed.ts"
import { direction, jsonPage, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** Accounts of people, found by handle or listed. The one the instance itself speaks through is not among those listed. */
export class AccountLists extends Context.Service<
  AccountLists,
  {
    /** Row id of an account. */
    readonly idOf: (handle: ActorHandle) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** Every account this instance knows, local or not, as JSON text `{"total":…,"data":[…]}` of Account. */
    readonly all: (page: ListPage<"createdAt">) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/accounts/AccountLists") {
  static readonly layer = Layer.effect(
    AccountLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const idOf = Effect.fnUntraced(function* (handle: ActorHandle) {
        const rows = yield* sql<{ id: number }>`
          select c.id from actor a join account c on c.actor_id = a.id where ${isActorNamed(sql, handle)}
        `
        return Option.map(Option.fromUndefinedOr(rows[0]), ({ id }) => id)
      }, withDatabaseErrors)

      const all = Effect.fn("AccountLists.all")(function* (page: ListPage<"createdAt">) {
        const way = direction(sql, page.sort.descending)
        const order = sql`coalesce(a.remote_created_at, a.created_at) ${way}, a.id ${way}`
        const items = sql`
          select coalesce(w.wire, wire_account(x.id)) as item, x.position from (
            select c.id, a.id as actor_id, row_number() over (order by ${order}) as position
            from actor a join account c on c.actor_id = a.id where a.type = 'Person' and a.discoverable
            order by ${order} ${limit(sql, page)}
          ) x left join actor_wire w on w.actor_id = x.actor_id`
        return yield* jsonPage(
          sql,
          // Every actor of a person has an account.
          sql`select count(*) from actor a where a.type = 'Person' and a.discoverable`,
          items
        )
      }, withDatabaseErrors)

      return AccountLists.of({ idOf, all })
    })
  )
}
