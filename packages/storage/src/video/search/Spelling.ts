/** A word of names and tags, with the number of documents that contain it. */
export interface KnownWord {
  readonly word: string
  readonly uses: number
}

/** Edits allowed in a word of this length. */
export const mistakesIn = (length: number): number => (length < 4 ? 0 : length < 6 ? 1 : 2)

/**
 * Edit distance of two words: letters inserted, removed, replaced, or swapped with their neighbour. Words are short.
 */
export const distance = (from: string, to: string): number => {
  let older: Array<number> = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let steps = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        steps = Math.min(steps, older[j - 2]! + 1)
      }
      next.push(steps)
    }
    older = row
    row = next
  }
  return row[to.length]!
}

/** Corrections per word. */
const offered = 3

/** Possible corrections of a misspelt word: nearest first, then the most frequent. */
export const corrections = (word: string, known: ReadonlyArray<KnownWord>): ReadonlyArray<string> => {
  const max = mistakesIn(word.length)
  const near = known
    .map((one) => ({ ...one, steps: distance(word, one.word) }))
    .filter(({ steps }) => steps > 0 && steps <= max)
    .toSorted((a, b) => a.steps - b.steps || b.uses - a.uses)
  return near
    .filter(({ steps }) => steps === near[0]!.steps)
    .slice(0, offered)
    .map(({ word: found }) => found)
}
