import { constraints } from "@kinora/domain/enums/Constraints"
import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** An account has as many lists or words as it may have. */
export class TooManyWords extends Data.TaggedError("TooManyWords")<{
  readonly what: "lists" | "words" | "letters"
  readonly max: number
}> {}

const { all, lists } = constraints.watchedWords

/** Checks what an account watches for as it is now, in the transaction that has changed it. */
export const checkWordRoom = Effect.fnUntraced(function* (sql: SqlClient, accountId: number) {
  const [found] = yield* sql<{ lists: number; words: number; letters: number }>`
    select count(*) as lists, coalesce(sum(cardinality(words)), 0) as words,
      coalesce(sum(length(array_to_string(words, ''))), 0) as letters
    from watched_words_list where account_id = ${accountId}`
  const bounds = { lists: lists.max, words: all.words, letters: all.letters }
  for (const what of ["lists", "words", "letters"] as const) {
    if (found![what] > bounds[what]) return yield* new TooManyWords({ what, max: bounds[what] })
  }
})
