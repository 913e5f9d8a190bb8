import { SchemaIssue } from "effect"
import type { InvalidParam, ParamLocation } from "../wire/ProblemDocument.ts"

type FieldPath = ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Fields whose refused values are not sent back, where they would end up in logs. */
const secret = /password|secret|token|verification/i

/** `tags[2]`, `scheduleUpdate.updateAt`. */
const nameOf = (path: FieldPath): string => {
  let name = ""
  for (const segment of path) {
    const key = typeof segment === "object" ? segment.key : segment
    name += typeof key === "number" ? `[${key}]` : name === "" ? String(key) : `.${String(key)}`
  }
  return name
}

const valueAt = (input: unknown, path: FieldPath): unknown => {
  let value = input
  for (const segment of path) {
    const key = typeof segment === "object" ? segment.key : segment
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

const deepest = 8

/** Whether a value is flat enough to be sent back: nesting without end would overflow the stack of what writes it. */
const isFlat = (value: unknown, depth = 0): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth < deepest && Object.values(value).every((inner) => isFlat(inner, depth + 1)))

/**
 * The failing fields of one part of a request by their names, the location standing in for a part that fails as a whole.
 * The first issue of a field counts.
 *
 * @param issue what decoding with `errors: "all"` gave
 * @param location which part of the request was decoded
 * @param input what was decoded, to name the refused values
 */
export const invalidParamsOf = (
  issue: SchemaIssue.Issue,
  location: ParamLocation,
  input: unknown
): Record<string, InvalidParam> => {
  const out: Record<string, InvalidParam> = Object.create(null)
  for (const { message, path = [] } of format(issue).issues) {
    const name = nameOf(path) || location
    if (out[name] !== undefined) continue
    const value = path.length === 0 || secret.test(name) ? undefined : valueAt(input, path)
    out[name] = {
      type: "field",
      ...(value === undefined || !isFlat(value) ? {} : { value }),
      msg: message,
      param: name,
      path: name,
      location
    }
  }
  return out
}
