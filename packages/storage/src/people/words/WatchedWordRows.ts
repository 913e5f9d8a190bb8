import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { inTransaction } from "../../platform/database/InTransaction.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { rulesChanged } from "../tags/RuleChanges.ts"
import { checkWordRoom, type TooManyWords } from "./WordRoom.ts"

/** The account has another list of this name. */
export class WordListNameTaken extends Data.TaggedError("WordListNameTaken")<{ readonly name: string }> {}

export interface WordList {
  readonly name: string
  readonly words: ReadonlyArray<string>
}

/** A list before a change, and where it comes from. */
export interface KnownWordList extends WordList {
  readonly id: number
  readonly isSubscribed: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  /** Changes of an account's words wait for each other. */
  const lock = (accountId: number) => sql`select 1 from account where id = ${accountId} for no key update`

  const find = Effect.fn("WatchedWordRows.find")(function* (accountId: number, listId: number) {
    const [list] = yield* sql<KnownWordList>`
      select id, name::text as name, words, subscription_id is not null as "isSubscribed"
      from watched_words_list where id = ${listId} and account_id = ${accountId}`
    return list
  }, withDatabaseErrors)

  const checkName = Effect.fnUntraced(function* (accountId: number, name: string, besides: number) {
    const taken = yield* sql`
      select 1 from watched_words_list where account_id = ${accountId} and name = ${name} and id <> ${besides}`
    if (taken.length > 0) return yield* new WordListNameTaken({ name })
  })

  const add = Effect.fn("WatchedWordRows.add")(
    function* (accountId: number, { name, words }: WordList) {
      yield* lock(accountId)
      yield* checkName(accountId, name, 0)
      const [made] = yield* sql<{ id: number }>`
        insert into watched_words_list (account_id, name, words) values (${accountId}, ${name}, ${words}::text[])
        returning id`
      yield* checkWordRoom(sql, accountId)
      yield* rulesChanged(sql, jobs, accountId)
      return made!.id
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  /** A policy that names a list goes on naming it. */
  const renamePolicies = (accountId: number, before: string, after: string) => sql`
    update automatic_tag_policy set name = ${after} where account_id = ${accountId} and name = ${before}`

  const update = Effect.fn("WatchedWordRows.update")(
    function* (accountId: number, listId: number, next: WordList) {
      yield* lock(accountId)
      const before = yield* find(accountId, listId)
      if (before === undefined) return false
      yield* checkName(accountId, next.name, listId)
      yield* sql`
        update watched_words_list set name = ${next.name}, words = ${next.words}::text[], updated_at = now()
        where id = ${listId}`
      yield* renamePolicies(accountId, before.name, next.name)
      yield* checkWordRoom(sql, accountId)
      yield* rulesChanged(sql, jobs, accountId)
      return true
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  const remove = Effect.fn("WatchedWordRows.remove")(
    function* (accountId: number, listId: number) {
      yield* lock(accountId)
      const [gone] = yield* sql<{ name: string }>`
        delete from watched_words_list where id = ${listId} and account_id = ${accountId} returning name::text as name`
      if (gone === undefined) return false
      yield* sql`delete from automatic_tag_policy where account_id = ${accountId} and name = ${gone.name}`
      yield* rulesChanged(sql, jobs, accountId)
      return true
    },
    inTransaction(sql),
    withDatabaseErrors
  )

  return WatchedWordRows.of({ find, add, update, remove })
})

/** Lists of watched words of accounts. Each change has what there is matched again, by a job in its transaction. */
export class WatchedWordRows extends Context.Service<
  WatchedWordRows,
  {
    readonly find: (accountId: number, listId: number) => Effect.Effect<KnownWordList | undefined, DatabaseUnavailable>
    readonly add: (
      accountId: number,
      list: WordList
    ) => Effect.Effect<number, WordListNameTaken | TooManyWords | DatabaseUnavailable>
    /** False: it is gone. */
    readonly update: (
      accountId: number,
      listId: number,
      next: WordList
    ) => Effect.Effect<boolean, WordListNameTaken | TooManyWords | DatabaseUnavailable>
    /** Policies do not name it any more. False: it is gone. */
    readonly remove: (accountId: number, listId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/people/words/WatchedWordRows") {
  static readonly layer = Layer.effect(WatchedWordRows, make)
}
