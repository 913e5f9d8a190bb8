import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { WatchedWordsListPage } from "@kinora/domain/requests/WatchedWordRequests"
import type { WatchedWordsList } from "@kinora/domain/wire/WatchedWords"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"

type MaybeList = { readonly total: number } & (WatchedWordsList | { readonly id: null })

const isList = (row: MaybeList): row is MaybeList & WatchedWordsList => row.id !== null

const columns = { createdAt: "l.created_at", updatedAt: "l.updated_at", listName: "lower(l.name::text)" } as const

/** What accounts watch for, as they read it. */
export class WatchedWordLists extends Context.Service<
  WatchedWordLists,
  {
    readonly of: (
      accountId: number,
      page: WatchedWordsListPage
    ) => Effect.Effect<{ readonly total: number; readonly data: ReadonlyArray<WatchedWordsList> }, DatabaseUnavailable>
    /** Names of the lists, in their order. */
    readonly names: (accountId: number) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
  }
>()("@kinora/storage/people/words/WatchedWordLists") {
  static readonly layer = Layer.effect(
    WatchedWordLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return WatchedWordLists.of({
        of: Effect.fn("WatchedWordLists.of")(function* (accountId, page) {
          const way = direction(sql, page.sort.descending)
          const order = sql`${sql.literal(columns[page.sort.by])} ${way}, l.id ${way}`
          const rows = yield* sql<MaybeList>`
            select t.total, p.* from (
              select count(*) as total from watched_words_list where account_id = ${accountId}
            ) t left join (
              select l.id, l.name::text as "listName", l.words, wire_time(l.updated_at) as "updatedAt",
                wire_time(l.created_at) as "createdAt", s.url as "subscriptionUrl", row_number() over (order by ${order}) as position
              from watched_words_list l left join watched_words_subscription s on s.id = l.subscription_id
              where l.account_id = ${accountId} order by ${order} ${limit(sql, page)}
            ) p on true order by p.position`
          const data = rows.filter(isList).map(({ createdAt, id, listName, subscriptionUrl, updatedAt, words }) => ({
            ...{ id, listName, words, updatedAt, createdAt, subscriptionUrl }
          }))
          return { total: rows[0]?.total ?? 0, data }
        }, withDatabaseErrors),
        names: Effect.fn("WatchedWordLists.names")(function* (accountId) {
          const rows = yield* sql<{ name: string }>`
            select name::text as name from watched_words_list where account_id = ${accountId} order by lower(name::text), id`
          return rows.map(({ name }) => name)
        }, withDatabaseErrors)
      })
    })
  )
}
