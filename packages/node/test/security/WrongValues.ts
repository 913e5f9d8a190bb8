import { Predicate } from "effect"

/** A value that a parameter or field does not take, and what is wrong with it. */
export interface WrongValue {
  readonly what: string
  readonly value: unknown
}

const property = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name as never] : undefined

const numberOf = (schema: unknown, name: string): number | undefined => {
  const value = property(schema, name)
  return typeof value === "number" ? value : undefined
}

/** The schemas that a value may be of. */
const choices = (schema: unknown): ReadonlyArray<unknown> => {
  const either = property(schema, "anyOf") ?? property(schema, "oneOf")
  return Array.isArray(either) ? either.flatMap(choices) : [schema]
}

const numbers = (schema: unknown, isInteger: boolean): ReadonlyArray<WrongValue> => {
  const minimum = numberOf(schema, "minimum")
  const maximum = numberOf(schema, "maximum")
  return [
    { what: "no number", value: "abc!" },
    ...(isInteger ? [{ what: "a fraction", value: 1.5 }] : []),
    { what: "beyond all numbers", value: 1e30 },
    ...(minimum === undefined ? [] : [{ what: "too small", value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ what: "too large", value: maximum + 1 }])
  ]
}

const texts = (schema: unknown): ReadonlyArray<WrongValue> => {
  const shortest = numberOf(schema, "minLength") ?? 0
  const longest = numberOf(schema, "maxLength")
  const format = property(schema, "format")
  return [
    { what: "a text with a zero byte", value: "a\0b" },
    ...(shortest > 0 ? [{ what: "too short", value: "y".repeat(shortest - 1) }] : []),
    // Longer ones do not fit into the first line of a request.
    ...(longest === undefined || longest > 4000 ? [] : [{ what: "too long", value: "y".repeat(longest + 1) }]),
    ...(format === "date-time" ? [{ what: "no date", value: "tomorrow" }] : []),
    ...(format === "uuid" ? [{ what: "no UUID", value: "1234-5" }] : []),
    ...(format === "email" ? [{ what: "no address", value: "nobody" }] : [])
  ]
}

/**
 * Values beside what a JSON Schema of our OpenAPI document takes. Of a schema with several branches, none takes them.
 * In JSON, also values of other types.
 */
export const wrongValues = (schema: unknown, isJson: boolean): ReadonlyArray<WrongValue> => {
  const all = choices(schema)
  const of = (type: string) => all.filter((one) => property(one, "type") === type)
  const closed = all.filter((one) => Array.isArray(property(one, "enum")))
  if (closed.length === all.length) return [{ what: "none of the choices", value: "no-such-value" }]
  const [list] = of("array")
  const number = of("integer")[0] ?? of("number")[0]
  const text = of("string").find((one) => !closed.includes(one))
  const object = of("object")[0]
  return [
    ...(of("boolean").length === 0 ? [] : [{ what: "neither true nor false", value: "maybe" }]),
    ...(number === undefined || text !== undefined ? [] : numbers(number, of("integer").length > 0)),
    ...(text === undefined ? [] : texts(text)),
    ...(isJson && (text !== undefined || number !== undefined) && object === undefined
      ? [{ what: "an object", value: { a: 1 } }]
      : []),
    ...(isJson && object !== undefined && text === undefined ? [{ what: "no object", value: "text" }] : []),
    ...(isJson && list !== undefined
      ? wrongValues(property(list, "items"), true).map(({ value, what }) => ({
          what: `a list of ${what}`,
          value: [value]
        }))
      : [])
  ]
}
