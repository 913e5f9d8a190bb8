import { boundedText } from "./SafeLinks.ts"

const named: Readonly<Record<string, string>> = {
  colon: ":",
  sol: "/",
  period: ".",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " "
}

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g

const lastCharacter = 0x10ffff

/** The character that an entity stands for; the entity itself where it stands for none that is looked for. */
const characterOf = (text: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return named[name] ?? text
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
  return code > 0 && code <= lastCharacter ? String.fromCodePoint(code) : text
}

/** Marks that readers do not see within a word: emphasis, code, and backslashes before punctuation. */
const marks = /[*~`]+|\\(?=[!-/:-@[-`{-~])/g

/** Markdown about as readers see it: `b**a**d` is "bad". Addresses of links stay. */
export const withoutMarkup = (text: string): string => boundedText(text).replace(entity, characterOf).replace(marks, "")
