/** One part of the search text, as written. */
export interface SearchPart {
  readonly text: string
  /** In quotation marks: its words must be adjacent. */
  readonly phrase: boolean
  /** After a `-`: documents with it are excluded. */
  readonly excluded: boolean
}

/** Parts of a search that count. Later ones are ignored, which limits the work. */
const maxParts = 12
const longestPart = 120

const part = /(-?)(?:["“”„«]([^"“”„«»]*)["“”»]|(\S+))/gu

/**
 * Splits the search text into parts: words, `"phrases"`, `-word` and `-"phrase"` for exclusions. Everything else is
 * plain text: it contains no other operators.
 */
export const searchParts = (text: string): ReadonlyArray<SearchPart> => {
  const parts: Array<SearchPart> = []
  for (const [, minus, quoted, word] of text.replaceAll("\0", " ").toWellFormed().matchAll(part)) {
    const value = [...(quoted ?? word ?? "")].slice(0, longestPart).join("")
    if (value.trim() === "") continue
    parts.push({ text: value, phrase: quoted !== undefined, excluded: minus === "-" })
    if (parts.length === maxParts) break
  }
  return parts
}
