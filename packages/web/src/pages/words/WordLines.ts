import { externalLinkTag } from "@kinora/domain/enums/AutomaticTag"
import { constraints } from "@kinora/domain/enums/Constraints"

const { listName, word, words } = constraints.watchedWords

/** The words of a text with one a line: empty lines count for nothing, a word that is named twice for one. */
export const wordsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
  )
]

const lengthOf = (text: string): number => Array.from(text).length

/** Which line, from 1 on, has a word that is too long; undefined: none. */
export const longLine = (text: string): number | undefined => {
  const at = text.split("\n").findIndex((line) => lengthOf(line.trim()) > word.max)
  return at < 0 ? undefined : at + 1
}

/** What is wrong with words, by the key of the message that says so. */
export const wordsWrong = (text: string): "noWords" | "tooMany" | "lineLong" | undefined => {
  const count = wordsOf(text).length
  if (longLine(text) !== undefined) return "lineLong"
  return count < words.min ? "noWords" : count > words.max ? "tooMany" : undefined
}

/** What is wrong with the name of a list, by the key of the message that says so. */
export const nameWrong = (name: string): "nameWrong" | "nameTaken" | undefined => {
  const length = lengthOf(name.trim())
  if (length < listName.min || length > listName.max) return "nameWrong"
  return name.trim().toLowerCase() === externalLinkTag ? "nameTaken" : undefined
}
