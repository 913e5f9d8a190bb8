import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { ListSubscriptionColumn } from "@kinora/domain/requests/ListSubscriptionRequests"
import type { WatchedWordsSubscription } from "@kinora/domain/wire/WatchedWords"
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

type Row = SubscriptionRow & { readonly words: number }

const wireOf = (row: Row): WatchedWordsSubscription => ({ ...subscriptionMembers(row), importedWordsCount: row.words })

/** Reads subscriptions `s` of a condition. */
export const wordSubscriptions = (sql: SqlClient) => (condition: Fragment) =>
  Effect.map(
    sql<Row>`
      select ${sql.literal(subscriptionColumns)}, coalesce(cardinality(l.words), 0) as words
      from watched_words_subscription s left join watched_words_list l on l.subscription_id = s.id where ${condition}`,
    (rows) => rows.map(wireOf)
  )

/** Subscriptions to words, as those who made them read them. */
export class WordSubscriptionLists extends Context.Service<
  WordSubscriptionLists,
  {
    readonly of: (
      accountId: number,
      page: ListPage<ListSubscriptionColumn>
    ) => Effect.Effect<
      { readonly total: number; readonly data: ReadonlyArray<WatchedWordsSubscription> },
      DatabaseUnavailable
    >
  }
>()("@kinora/storage/people/words/WordSubscriptionLists") {
  static readonly layer = Layer.effect(
    WordSubscriptionLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = wordSubscriptions(sql)

      return WordSubscriptionLists.of({
        of: Effect.fn("WordSubscriptionLists.of")(function* (accountId, page) {
          const condition = sql`s.account_id = ${accountId} and ${subscriptionsFound(sql, page)}`
          const [counted] = yield* sql<{ total: number }>`
            select count(*) as total from watched_words_subscription s where ${condition}`
          const data = yield* read(sql`${condition} ${subscriptionsOrder(sql, page)}`)
          return { total: counted!.total, data }
        }, withDatabaseErrors)
      })
    })
  )
}
