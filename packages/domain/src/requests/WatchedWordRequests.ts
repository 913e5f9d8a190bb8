import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import { externalLinkTag } from "../enums/AutomaticTag.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { toBoundedText, toList } from "../fields/Values.ts"
import { foldWord } from "../text/WordTrie.ts"
import { pageReaders, type Sort } from "./Pagination.ts"
import { jsonOrForm } from "./Payload.ts"
import { query } from "./Query.ts"
import { rowId } from "./UserFields.ts"

const { listName: nameBounds, lists, word, words: wordCount } = constraints.watchedWords

const nameText = text({
  ...nameBounds,
  message: `Must be a name of ${nameBounds.min} to ${nameBounds.max} characters, and not ${externalLinkTag}`
})

const listName: Reader<string> = {
  ...nameText,
  parse: (input) => {
    const name = nameText.parse(typeof input === "string" ? input.trim() : input)
    return name?.toLowerCase() === externalLinkTag ? undefined : name
  }
}

/** A word that has something to compare. */
const toWord = (input: unknown): string | undefined => {
  const given = toBoundedText(input, word.min, word.max)
  return given === undefined || foldWord(given) === "" ? undefined : given
}

const words: Reader<ReadonlyArray<string>> = {
  message: `Must be ${wordCount.min} to ${wordCount.max} words or phrases of at most ${word.max} characters`,
  documented: {
    type: "array",
    items: { type: "string", minLength: word.min, maxLength: word.max },
    minItems: wordCount.min,
    maxItems: wordCount.max
  },
  parse: (input) => {
    const given = toList(input, toWord)
    return given === undefined || given.length < wordCount.min ? undefined : [...new Set(given)]
  }
}

/** Body of a new list. A word that is named twice is kept once. */
export const NewWatchedWordsList = Schema.Struct({ listName: field(listName), words: field(words) })
export type NewWatchedWordsList = typeof NewWatchedWordsList.Type

/** Body of a change. What is missing stays. */
export const WatchedWordsListUpdate = Schema.Struct({ listName: optional(listName), words: optional(words) })
export type WatchedWordsListUpdate = typeof WatchedWordsListUpdate.Type

export const newWatchedWordsList = jsonOrForm(NewWatchedWordsList)
export const watchedWordsListUpdate = jsonOrForm(WatchedWordsListUpdate)

/** Path parameter: a list of watched words. */
export const WatchedWordsListId = field(rowId("a list of watched words"))

/** Columns of lists of watched words (contract: SortableColumns.watchedWordsLists). */
const columns = ["createdAt", "updatedAt", "listName"] as const

/** The contract pages no lists of watched words: without `count` all are answered. */
export const watchedWordsListsQuery = query(pageReaders(columns))

export interface WatchedWordsListPage {
  readonly start: number
  readonly count: number
  readonly sort: Sort<(typeof columns)[number]>
}

/** Fills in the defaults: all, the newest first. */
export const toWatchedWordsListPage = (given: Partial<WatchedWordsListPage>): WatchedWordsListPage => ({
  start: given.start ?? 0,
  count: given.count ?? lists.max,
  sort: given.sort ?? { by: "createdAt", descending: true }
})
