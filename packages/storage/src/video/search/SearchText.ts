/** One part of what is searched for, as it was written. */
export interface SearchPart {
  readonly text: string
  /** Given in quotation marks: its words have to stand one after the other. */
  readonly phrase: boolean
  /** Given after a `-`: what has it is not found. */
  readonly excluded: boolean
}

/** Parts of a search that count; what comes after them is left out, so that no search is more work than this. */
const maxParts = 12
const longestPart = 120

const part = /(-?)(?:["“”„«]([^"“”„«»]*)["“”»]|(\S+))/gu

/**
 * What a search box was given, part by part: words, `"words in a row"`, `-word` and `-"words in a row"` for what must not
 * be there. All else is text: nothing in it is an operator.
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
