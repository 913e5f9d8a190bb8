import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { ListSubscriptionColumn } from "@kinora/domain/requests/ListSubscriptionRequests"
import type { BlocklistSubscription } from "@kinora/domain/wire/BlocklistSubscription"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import {
  subscriptionColumns,
  subscriptionMembers,
  type SubscriptionRow,
  subscriptionsFound,
  subscriptionsOrder
} from "../list/SubscriptionColumns.ts"

type Row = SubscriptionRow & { readonly accounts: number; readonly servers: number }

const wireOf = (row: Row): BlocklistSubscription => ({
  ...subscriptionMembers(row),
  mutedAccountsCount: row.accounts,
  mutedServersCount: row.servers
})

const entries = (comparison: "=" | "<>"): string => `(
  select count(*) from blocklist_entry e where e.subscription_id = s.id and not e.lifted and e.name ${comparison} ''
)`

/** Reads subscriptions `s` of a condition. */
export const blocklistSubscriptions = (sql: SqlClient) => (condition: Fragment) =>
  Effect.map(
    sql<Row>`
      select ${sql.literal(subscriptionColumns)}, ${sql.literal(entries("<>"))} as accounts,
        ${sql.literal(entries("="))} as servers
      from blocklist_subscription s where ${condition}`,
    (rows) => rows.map(wireOf)
  )

/** Subscriptions to block lists, as administrators read them. */
export class BlocklistSubscriptionLists extends Context.Service<
  BlocklistSubscriptionLists,
  {
    readonly all: (
      page: ListPage<ListSubscriptionColumn>
    ) => Effect.Effect<
      { readonly total: number; readonly data: ReadonlyArray<BlocklistSubscription> },
      DatabaseUnavailable
    >
  }
>()("@kinora/storage/people/block/BlocklistSubscriptionLists") {
  static readonly layer = Layer.effect(
    BlocklistSubscriptionLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = blocklistSubscriptions(sql)

      return BlocklistSubscriptionLists.of({
        all: Effect.fn("BlocklistSubscriptionLists.all")(function* (page) {
          const condition = subscriptionsFound(sql, page)
          const [counted] = yield* sql<{ total: number }>`
            select count(*) as total from blocklist_subscription s where ${condition}`
          const data = yield* read(sql`${condition} ${subscriptionsOrder(sql, page)}`)
          return { total: counted!.total, data }
        }, withDatabaseErrors)
      })
    })
  )
}
