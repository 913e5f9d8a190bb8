import type { Reader } from "./Field.ts"
import { instant } from "./Readers.ts"

const read = instant("Must be an instant in ISO 8601 from the year 1900 on, such as 2026-01-31T12:00:00.000Z")

/**
 * An instant that something here can have happened at, as ISO 8601 in UTC with milliseconds. Texts compare as the instants
 * do, and the database has every one of them.
 */
export const moment: Reader<string> = {
  ...read,
  parse: (input) => {
    const value = read.parse(input)
    return value !== undefined && value >= "1900" ? value : undefined
  }
}
