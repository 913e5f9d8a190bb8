import { constraints } from "@kinora/domain/enums/Constraints"
import { toBoundedText } from "@kinora/domain/fields/Values"
import { foldWord } from "@kinora/domain/text/WordTrie"
import type { PublishedWords } from "@kinora/storage/people/words/SubscribedWords"
import { Option, Schema } from "effect"
import { listName } from "../list/ListName.ts"

const { word } = constraints.watchedWords

/** Words that one subscription may have. */
const mostWords = 10_000

const Words = Schema.Array(Schema.Unknown)

/** A list as such, or the export of a user's lists (contract: WatchedWordsLists, WatchedWordsListsJSON). */
const Published = Schema.Union([
  Schema.Struct({
    name: Schema.optionalKey(Schema.Unknown),
    listName: Schema.optionalKey(Schema.Unknown),
    words: Words
  }),
  Schema.Struct({
    name: Schema.optionalKey(Schema.Unknown),
    watchedWordLists: Schema.Array(Schema.Struct({ words: Words }))
  })
])
const decode = Schema.decodeUnknownOption(Published)

/** Those that can be compared with something; others are left out. */
const usable = (given: unknown): ReadonlyArray<string> => {
  const text = typeof given === "string" ? toBoundedText(given.trim(), word.min, word.max) : undefined
  return text === undefined || foldWord(text) === "" ? [] : [text]
}

/** The words of a document of others; what is wrong with it, where nothing of it can be used. */
export const publishedWords = (document: unknown, fallbackName: string): PublishedWords | string => {
  const read = decode(document)
  if (Option.isNone(read)) return "It is no list of words"
  const list = read.value
  const given = "words" in list ? list.words : list.watchedWordLists.flatMap(({ words }) => words)
  const words = [...new Set(given.flatMap(usable))]
  if (words.length === 0) return "It has no words"
  if (words.length > mostWords) return `It has more than ${mostWords} words`
  const name = listName(list.name) ?? ("words" in list ? listName(list.listName) : undefined)
  return { name: name ?? fallbackName, words }
}
