import type { JsonSchema, Reader } from "./Field.ts"
import { isAbsent, maxListItems, toBoolean, toBoundedText, toInstant, toInteger, toList } from "./Values.ts"

/** Whole number within bounds, both included. `documented` overrides what OpenAPI says. */
export const integer = (options: {
  readonly min: number
  readonly max: number
  readonly message: string
  readonly documented?: JsonSchema
}): Reader<number> => ({
  message: options.message,
  documented: { type: "integer", minimum: options.min, maximum: options.max, ...options.documented },
  parse: (input) => {
    const value = toInteger(input)
    return value !== undefined && value >= options.min && value <= options.max ? value : undefined
  }
})

/** `true` or `false`. */
export const boolean = (documented?: JsonSchema): Reader<boolean> => ({
  message: "Must be true or false",
  documented: { type: "boolean", ...documented },
  parse: toBoolean
})

/** Text within bounds counted in characters, and of a pattern when one is given. */
export const text = (options: {
  readonly min: number
  readonly max: number
  readonly message: string
  readonly pattern?: RegExp
  readonly documented?: JsonSchema
}): Reader<string> => ({
  message: options.message,
  documented: { type: "string", minLength: options.min, maxLength: options.max, ...options.documented },
  parse: (input) => {
    const value = toBoundedText(input, options.min, options.max)
    return value !== undefined && (options.pattern?.test(value) ?? true) ? value : undefined
  }
})

/** One of a few texts. */
export const oneOf = <const A extends string>(
  values: ReadonlyArray<A>,
  message: string,
  documented?: JsonSchema
): Reader<A> => ({
  message,
  documented: { type: "string", enum: values, ...documented },
  parse: (input) => values.find((value) => value === input)
})

/** One of the ids of an enumeration. */
export const idOf = <const A extends number>(ids: ReadonlyArray<A>, message: string): Reader<A> => ({
  message,
  documented: { type: "integer", enum: ids },
  parse: (input) => {
    const value = toInteger(input)
    return ids.find((id) => id === value)
  }
})

/** A list of what another reader takes; one value alone is a list of one. */
export const listOf = <A>(item: Reader<A>, message: string, documented?: JsonSchema): Reader<ReadonlyArray<A>> => ({
  message,
  documented: documented ?? {
    anyOf: [item.documented, { type: "array", items: item.documented, maxItems: maxListItems }]
  },
  parse: (input) => toList(input, item.parse)
})

/** An instant, given as ISO 8601 in UTC with milliseconds. */
export const instant = (message: string): Reader<string> => ({
  message,
  documented: { type: "string", format: "date-time" },
  parse: toInstant
})

/** The same, where null, the text "null" and empty text say that there is no value, given as null. */
export const nullable = <A>(reader: Reader<A>): Reader<A | null> => ({
  message: reader.message,
  documented: { anyOf: [reader.documented, { type: "null" }] },
  parse: (input) => (isAbsent(input) ? null : reader.parse(input))
})
