import { SchemaIssue } from "effect"
import type { InvalidParam, ParamLocation } from "../wire/ProblemDocument.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Fields whose refused values are not sent back, where they would end up in logs. */
const secret = /password|secret|token/i

const valueAt = (input: unknown, name: string): unknown =>
  typeof input === "object" && input !== null && Object.hasOwn(input, name) && !secret.test(name)
    ? (input as Record<string, unknown>)[name]
    : undefined

/**
 * The failing fields of one part of a request, by the name of the top-level field; the first issue of a field counts.
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
  for (const { message, path } of format(issue).issues) {
    const step = path?.[0]
    const key = step === undefined ? "" : typeof step === "object" ? String(step.key) : String(step)
    const name = key === "" ? location : key
    if (out[name] !== undefined) continue
    const value = valueAt(input, name)
    out[name] = {
      type: "field",
      msg: message,
      param: name,
      path: name,
      location,
      ...(value === undefined ? {} : { value })
    }
  }
  return out
}
