import { foldText } from "./FoldedText.ts"
import { isBoundary } from "./WordBoundaries.ts"

/** Words and phrases under a name. */
export interface NamedWords {
  readonly name: string
  readonly words: ReadonlyArray<string>
}

/** Names of the lists that have a word of one of these texts, in their order. */
export type WordFinder = (texts: ReadonlyArray<string>) => ReadonlyArray<string>

/** A word as it is compared; empty when nothing of it can be compared. */
export const foldWord = (word: string): string => foldText(word).trim()

/** Words that begin alike. */
interface Node {
  /** What all of them have in common, after what the nodes above have. */
  readonly common: string
  /** Which lists have the word that ends here; undefined: none ends here. */
  readonly lists: ReadonlyArray<number> | undefined
  /** The longer ones, by the code unit that follows. */
  readonly longer: ReadonlyMap<number, Node> | undefined
}

/** For each folded word, which of the lists have it. */
const listsOfWords = (lists: ReadonlyArray<NamedWords>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const owners = new Map<string, Array<number>>()
  for (const [nth, { words }] of lists.entries()) {
    for (const word of words) {
      const folded = foldWord(word)
      if (folded === "") continue
      const known = owners.get(folded)
      if (known === undefined) owners.set(folded, [nth])
      else if (known.at(-1) !== nth) known.push(nth)
    }
  }
  return owners
}

const commonLength = (one: string, other: string, from: number): number => {
  const most = Math.min(one.length, other.length)
  let length = from
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

/** The node of the words from one place of the sorted ones up to another; they share so many units. */
const nodeOf = (
  words: ReadonlyArray<string>,
  owners: ReadonlyMap<string, ReadonlyArray<number>>,
  range: { readonly from: number; readonly to: number; readonly shared: number }
): Node => {
  const { shared, to } = range
  const first = words[range.from]!
  const length = commonLength(first, words[to - 1]!, shared)
  const ends = first.length === length
  const longer = new Map<number, Node>()
  for (let from = ends ? range.from + 1 : range.from; from < to;) {
    const unit = words[from]!.charCodeAt(length)
    let end = from + 1
    while (end < to && words[end]!.charCodeAt(length) === unit) end++
    longer.set(unit, nodeOf(words, owners, { from, to: end, shared: length }))
    from = end
  }
  return {
    common: first.slice(shared, length),
    lists: ends ? owners.get(first) : undefined,
    longer: longer.size === 0 ? undefined : longer
  }
}

/**
 * Finds words as they are written: whole ones (`isBoundary`), whatever their case and accents (`foldText`). The trie is made once;
 * what a text costs grows with its length, and not with how many words there are. No pattern is ever made of a word.
 */
export const wordFinder = (lists: ReadonlyArray<NamedWords>): WordFinder => {
  const owners = listsOfWords(lists)
  const words = [...owners.keys()].sort()
  const root = words.length === 0 ? undefined : nodeOf(words, owners, { from: 0, to: words.length, shared: 0 })
  const listed = new Set([...owners.values()].flat()).size

  const search = (text: string, found: Set<number>): void => {
    for (let from = 0; from < text.length && found.size < listed; from++) {
      if (!isBoundary(text, from)) continue
      for (let node = root, at = from; node !== undefined && text.startsWith(node.common, at);) {
        at += node.common.length
        if (node.lists !== undefined && isBoundary(text, at)) for (const list of node.lists) found.add(list)
        node = at < text.length ? node.longer?.get(text.charCodeAt(at)) : undefined
      }
    }
  }

  return (texts) => {
    const found = new Set<number>()
    for (const text of texts) search(foldText(text), found)
    return lists.filter((_, nth) => found.has(nth)).map(({ name }) => name)
  }
}
