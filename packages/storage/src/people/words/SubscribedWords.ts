import { constraints } from "@kinora/domain/enums/Constraints"
import { externalLinkTag } from "@kinora/domain/enums/AutomaticTag"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { rulesChanged } from "../tags/RuleChanges.ts"
import { checkWordRoom, type TooManyWords } from "./WordRoom.ts"

/** What was found at the address of a subscription. */
export interface PublishedWords {
  readonly name: string
  readonly words: ReadonlyArray<string>
}

const longestName = constraints.watchedWords.listName.max

/** A name that none of the account's lists has: with a number behind it where one has. */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  for (let n = 1; ; n++) {
    const end = n === 1 ? "" : ` (${n})`
    const tried = `${name.slice(0, longestName - end.length).toWellFormed()}${end}`
    if (!taken.has(tried.toLowerCase())) return tried
  }
}

/** Words that came by subscriptions. */
export class SubscribedWords extends Context.Service<
  SubscribedWords,
  {
    /**
     * Replaces the words of a subscription. The list keeps the name that it got first, since policies name it by that. False: the
     * subscription has ended.
     */
    readonly replace: (
      subscriptionId: number,
      published: PublishedWords
    ) => Effect.Effect<boolean, TooManyWords | DatabaseUnavailable>
  }
>()("@kinora/storage/people/words/SubscribedWords") {
  static readonly layer = Layer.effect(
    SubscribedWords,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const jobs = yield* JobBoard

      const write = Effect.fnUntraced(function* (accountId: number, subscriptionId: number, published: PublishedWords) {
        const { name, words } = published
        const [list] = yield* sql<{ id: number; isSame: boolean }>`
          select id, words = ${words}::text[] as "isSame" from watched_words_list where subscription_id = ${subscriptionId}`
        if (list?.isSame === true) return false
        if (list !== undefined) {
          yield* sql`update watched_words_list set words = ${words}::text[], updated_at = now() where id = ${list.id}`
          return true
        }
        const rows = yield* sql<{ name: string }>`
          select lower(name::text) as name from watched_words_list where account_id = ${accountId}`
        const free = freeName(name, new Set([externalLinkTag, ...rows.map((row) => row.name)]))
        yield* sql`
          insert into watched_words_list (account_id, name, words, subscription_id)
          values (${accountId}, ${free}, ${words}::text[], ${subscriptionId})`
        return true
      })

      const replace = Effect.fn("SubscribedWords.replace")(
        function* (subscriptionId: number, published: PublishedWords) {
          const [owner] = yield* sql<{ id: number }>`
            select id from account where id = (
              select account_id from watched_words_subscription where id = ${subscriptionId}
            ) for no key update`
          if (owner === undefined) return false
          const [there] = yield* sql`
            update watched_words_subscription set name = ${published.name} where id = ${subscriptionId} returning 1`
          if (there === undefined) return false
          if (!(yield* write(owner.id, subscriptionId, published))) return true
          yield* checkWordRoom(sql, owner.id)
          yield* rulesChanged(sql, jobs, owner.id)
          return true
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return SubscribedWords.of({ replace })
    })
  )
}
