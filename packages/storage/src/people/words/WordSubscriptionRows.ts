import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { WatchedWordsSubscription } from "@kinora/domain/wire/WatchedWords"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { cancelFetch, enqueueFetch } from "../list/SubscriptionJobs.ts"
import { AlreadySubscribed, type NewSubscription, TooManySubscriptions } from "../list/SubscriptionRows.ts"
import { rulesChanged } from "../tags/RuleChanges.ts"
import { wordSubscriptions } from "./WordSubscriptionLists.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const read = wordSubscriptions(sql)

  const add = Effect.fn("WordSubscriptionRows.add")(
    function* (accountId: number, { max, name, url }: NewSubscription) {
      yield* sql`select 1 from account where id = ${accountId} for no key update`
      const [counted] = yield* sql<{ same: boolean; all: number }>`
        select coalesce(bool_or(url = ${url}), false) as same, count(*) as all
        from watched_words_subscription where account_id = ${accountId}`
      if (counted!.same) return yield* new AlreadySubscribed({ url })
      if (counted!.all >= max) return yield* new TooManySubscriptions({ max })
      const [made] = yield* sql<{ id: number }>`
        insert into watched_words_subscription (account_id, url, name) values (${accountId}, ${url}, ${name}) returning id`
      const { id } = made!
      yield* enqueueFetch(jobs, { kind: "words", id }, 0)
      const [subscription] = yield* read(sql`s.id = ${id}`)
      return subscription!
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const remove = Effect.fn("WordSubscriptionRows.remove")(
    function* (accountId: number, id: number) {
      yield* sql`select 1 from account where id = ${accountId} for no key update`
      const [gone] = yield* sql<{ url: string; listName: string | null }>`
        select s.url, l.name::text as "listName" from watched_words_subscription s
          left join watched_words_list l on l.subscription_id = s.id
        where s.id = ${id} and s.account_id = ${accountId} for update of s`
      if (gone === undefined) return undefined
      yield* cancelFetch(sql, { kind: "words", id })
      yield* sql`delete from watched_words_subscription where id = ${id}`
      if (gone.listName !== null) {
        yield* sql`delete from automatic_tag_policy where account_id = ${accountId} and name = ${gone.listName}`
        yield* rulesChanged(sql, jobs, accountId)
      }
      return gone.url
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  return WordSubscriptionRows.of({ add, remove })
})

/** Subscriptions of accounts to words that others publish. */
export class WordSubscriptionRows extends Context.Service<
  WordSubscriptionRows,
  {
    /** Makes it with its first fetch. */
    readonly add: (
      accountId: number,
      subscription: NewSubscription
    ) => Effect.Effect<WatchedWordsSubscription, AlreadySubscribed | TooManySubscriptions | DatabaseUnavailable>
    /** Ends it with its words and with policies that name them. Answers its address; undefined: there is none. */
    readonly remove: (accountId: number, id: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/people/words/WordSubscriptionRows") {
  static readonly layer = Layer.effect(WordSubscriptionRows, make)
}
