import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { Account } from "@kinora/domain/wire/Account"
import type { JsonPage } from "@kinora/domain/wire/Json"
import { isActorNamed } from "../actor/ActorNamed.ts"
import { actorPage } from "../actor/ActorPages.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { isListedActor } from "./FollowedActors.ts"

/** Accounts, found by handle or listed. The application actor's account is not listed. */
export class AccountLists extends Context.Service<
  AccountLists,
  {
    /** Row id of an account. */
    readonly idOf: (handle: ActorHandle) => Effect.Effect<Option.Option<number>, DatabaseUnavailable>
    /** Accounts of this instance and of what it follows, as JSON text `{"total":…,"data":[…]}` of Account. */
    readonly all: (page: ListPage<"createdAt">) => Effect.Effect<JsonPage<Account>, DatabaseUnavailable>
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
        const where = sql`a.type = 'Person' and a.discoverable and ${isListedActor(sql)}`
        const items = sql`
          select a.id as actor_id, row_number() over (order by ${order}) as position
          from actor a join account c on c.actor_id = a.id where ${where}
          order by ${order} ${limit(sql, page)}`
        return yield* actorPage<Account>(
          sql,
          // Every actor of type Person has an account.
          sql`select count(*) from actor a where ${where}`,
          items
        )
      }, withDatabaseErrors)

      return AccountLists.of({ idOf, all })
    })
  )
}
