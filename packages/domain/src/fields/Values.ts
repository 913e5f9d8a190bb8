/** Readers of single values as they arrive: text from queries and forms, real types from JSON. */

/** Items a list in a request may have; longer ones are refused before anything looks at them. */
export const maxListItems = 500

/** Whole number, or undefined. Text must be plain decimal digits within the safe range. */
export const toInteger = (input: unknown): number | undefined => {
  if (typeof input === "number") return Number.isSafeInteger(input) ? input : undefined
  if (typeof input !== "string" || !/^-?\d{1,16}$/.test(input)) return undefined
  const value = Number(input)
  return Number.isSafeInteger(value) ? value : undefined
}

export const toBoolean = (input: unknown): boolean | undefined => {
  if (input === true || input === "true" || input === "1") return true
  if (input === false || input === "false" || input === "0") return false
  return undefined
}

/** Text a database can hold: well-formed UTF-16 without U+0000. */
export const toText = (input: unknown): string | undefined =>
  typeof input === "string" && !input.includes("\u0000") && input.isWellFormed() ? input : undefined

/** Characters of a text as people count them: a surrogate pair is one. */
export const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const lookAlikes = /[\u0130\u212a]/

/** Whether a text has other characters whose small letter is i or k: databases take them for these, mail servers do not. */
export const hasLookAlike = (text: string): boolean => lookAlikes.test(text)

/** Bytes of a text in UTF-8. */
export const utf8Bytes = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** Text whose number of characters is within the bounds. */
export const toBoundedText = (input: unknown, min: number, max: number): string | undefined => {
  const text = toText(input)
  if (text === undefined || text.length > max * 2) return undefined
  const count = characters(text)
  return count >= min && count <= max ? text : undefined
}

/** A list; one value alone is a list of one. Undefined when an item is refused or there are too many. */
export const toList = <A>(input: unknown, item: (input: unknown) => A | undefined): ReadonlyArray<A> | undefined => {
  const items = Array.isArray(input) ? input : [input]
  if (items.length > maxListItems) return undefined
  const out: Array<A> = []
  for (const one of items) {
    const value = item(one)
    if (value === undefined) return undefined
    out.push(value)
  }
  return out
}

/** Whether a form or JSON says that there is no value: null, "null" or empty text. */
export const isAbsent = (input: unknown): boolean =>
  input === null || input === undefined || input === "" || input === "null"

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Whether a month has the day: `Date` would roll 30 February over into March. */
const isDay = (year: number, month: number, day: number): boolean =>
  day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

/**
 * An instant in ISO 8601, given back in UTC with milliseconds; a date alone is its midnight in UTC, a time without zone
 * is in UTC. Years before 1 and after 9999, which databases do not write like this, are refused.
 */
export const toInstant = (input: unknown): string | undefined => {
  const match = typeof input === "string" ? iso.exec(input) : null
  if (match === null || !isDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined
  const [text] = match
  const zoned = text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? text : `${text}Z`
  const parsed = new Date(zoned)
  if (Number.isNaN(parsed.getTime())) return undefined
  const instant = parsed.toISOString()
  return /^\d{4}/.test(instant) && !instant.startsWith("0000") ? instant : undefined
}
