import { AutomaticTagPolicy, externalLinkTag } from "@kinora/domain/enums/AutomaticTag"
import { NewWatchedWordsList } from "@kinora/domain/requests/WatchedWordRequests"
import { TagPolicyRows } from "@kinora/storage/people/tags/TagPolicyRows"
import { WatchedWordLists } from "@kinora/storage/people/words/WatchedWordLists"
import { WatchedWordRows } from "@kinora/storage/people/words/WatchedWordRows"
import { Effect, Option, Schema } from "effect"
import type { Outcome, SectionImport } from "../context/ImportContext.ts"
import { fieldsOf, given } from "../context/ImportedFields.ts"

const decodeList = Schema.decodeUnknownOption(NewWatchedWordsList)

/** Lists of watched words. One whose name the user has already stays as it is. */
export const importWatchedWords = Effect.gen(function* () {
  const rows = yield* WatchedWordRows

  return {
    section: "watchedWordsLists",
    files: ["watched-words-lists"],
    lists: ["watchedWordLists"],
    importEntry: Effect.fnUntraced(function* ({ user }, entry) {
      const list = Option.getOrUndefined(decodeList(given(entry, ["listName", "words"])))
      if (list === undefined) return "error"
      return yield* rows.add(user.accountId, { name: list.listName, words: list.words }).pipe(
        Effect.as("success" as Outcome),
        Effect.catchTag("WordListNameTaken", () => Effect.succeed<Outcome>("duplicate"))
      )
    })
  } satisfies SectionImport
})

/** Tags for which comments are reviewed, of those that the user has here. */
export const importReviewedTags = Effect.gen(function* () {
  const lists = yield* WatchedWordLists
  const policies = yield* TagPolicyRows

  return {
    section: "commentAutoTagPolicies",
    files: ["auto-tag-policies"],
    lists: ["reviewComments"],
    importEntry: Effect.fnUntraced(function* ({ user: { accountId } }, entry) {
      const { name } = fieldsOf(entry)
      if (typeof name !== "string") return "error"
      const wanted = name.toLowerCase()
      const known = [externalLinkTag, ...(yield* lists.names(accountId))].find((tag) => tag.toLowerCase() === wanted)
      if (known === undefined) return "error"
      return (yield* policies.add(accountId, AutomaticTagPolicy.reviewComment, known)) ? "success" : "duplicate"
    })
  } satisfies SectionImport
})
