import type { NamedWords, WordFinder } from "@kinora/domain/text/WordTrie"
import { wordFinder } from "@kinora/domain/text/WordTrie"
import type { SqlClient } from "effect/sql/SqlClient"

interface Kept {
  readonly version: string
  readonly find: WordFinder
  readonly letters: number
}

/** Letters of all words that are kept ready together. */
const mostLetters = 4_000_000

/** The words of accounts, ready to be looked for; those that were used least recently go first. */
export interface WordFinders {
  readonly get: (accountId: number, version: string) => WordFinder | undefined
  readonly add: (accountId: number, version: string, lists: ReadonlyArray<NamedWords>) => WordFinder
}

const makeWordFinders = (): WordFinders => {
  const kept = new Map<number, Kept>()
  let letters = 0

  const drop = (accountId: number) => {
    letters -= kept.get(accountId)?.letters ?? 0
    kept.delete(accountId)
  }

  return {
    get: (accountId, version) => {
      const found = kept.get(accountId)
      if (found?.version !== version) return undefined
      kept.delete(accountId)
      kept.set(accountId, found)
      return found.find
    },
    add: (accountId, version, lists) => {
      drop(accountId)
      const find = wordFinder(lists)
      const own = lists.reduce((sum, { words }) => sum + words.reduce((all, word) => all + word.length, 0), 0)
      for (const [oldest] of kept) {
        if (letters + own <= mostLetters) break
        drop(oldest)
      }
      kept.set(accountId, { version, find, letters: own })
      letters += own
      return find
    }
  }
}

const ofClients = new WeakMap<SqlClient, WordFinders>()

/** Those of a database: whoever tags something shares them. */
export const wordFinders = (sql: SqlClient): WordFinders => {
  const known = ofClients.get(sql)
  if (known !== undefined) return known
  const made = makeWordFinders()
  ofClients.set(sql, made)
  return made
}
