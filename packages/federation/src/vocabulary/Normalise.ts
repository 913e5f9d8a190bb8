import { Data, Result } from "effect"
import { isObject, type Json, type JsonObject } from "./Json.ts"
import {
  audiences,
  isPublicAlias,
  knownTypes,
  languageMaps,
  publicCollection,
  shortName,
  singular,
  unambiguous
} from "./Terms.ts"

/** A document that cannot be read in one way only, or is beyond what is read at all. */
export class MalformedDocument extends Data.TaggedError("MalformedDocument")<{ readonly why: string }> {}

/** Objects and arrays within each other. */
const maxDepth = 20
/** Values of one document. */
const maxValues = 50_000

/** JSON-LD that says something about other objects than it seems to: nobody who means well sends it. */
const forbidden = new Set(["@graph", "@included", "@include", "@reverse", "@nest"])

/** JSON-LD whose meaning the short names carry already. */
const dropped = new Set(["@context", "@language", "@direction", "@index", "@version", "__proto__"])

/** PostgreSQL keeps no NUL, and half a character of UTF-16 is none. */
const clean = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed()

const keywords: Readonly<Record<string, string>> = { "@id": "id", "@type": "type" }

class Stop extends Error {}

const stop = (why: string): never => {
  throw new Stop(why)
}

const typeOf = (value: Json): Json => {
  if (typeof value === "string") return shortName(value)
  const types = (Array.isArray(value) ? (value as ReadonlyArray<Json>) : [value]).flatMap((it) =>
    typeof it === "string" ? [shortName(it)] : []
  )
  return types.find((it) => knownTypes.has(it)) ?? types[0] ?? null
}

const sameText = (values: ReadonlyArray<Json>): boolean =>
  values.every((it) => it === values[0] && typeof it === "string")

const single = (name: string, value: Json): Json => {
  if (!Array.isArray(value)) return value
  const values = value as ReadonlyArray<Json>
  if (values.length > 1 && unambiguous.has(name) && !sameText(values)) return stop(`more than one "${name}"`)
  return values[0] ?? null
}

const audience = (value: Json): Json => {
  if (typeof value === "string") return isPublicAlias(value) ? publicCollection : value
  return Array.isArray(value) ? (value as ReadonlyArray<Json>).map(audience) : value
}

class Walk {
  values = 0

  value(input: unknown, depth: number): Json {
    if (++this.values > maxValues) return stop("too many values")
    if (typeof input === "string") return clean(input)
    if (typeof input === "number") return Number.isFinite(input) ? input : null
    if (typeof input === "boolean" || input === null || input === undefined) return input ?? null
    if (typeof input !== "object") return stop("not JSON")
    if (depth === maxDepth) return stop("too deep")
    if (Array.isArray(input)) return this.flat(input, depth)
    return this.object(input as Record<string, unknown>, depth)
  }

  /** Lists within lists mean nothing in JSON-LD, and become one. */
  flat(input: ReadonlyArray<unknown>, depth: number): ReadonlyArray<Json> {
    const out: Array<Json> = []
    for (const entry of input) {
      const value = this.value(entry, depth + 1)
      if (Array.isArray(value)) out.push(...(value as ReadonlyArray<Json>))
      else out.push(value)
    }
    return out
  }

  object(input: Record<string, unknown>, depth: number): Json {
    if ("@value" in input) return this.value(input["@value"], depth + 1)
    if ("@list" in input) return this.value(input["@list"], depth + 1)
    if ("@set" in input) return this.value(input["@set"], depth + 1)
    const out: Record<string, Json> = {}
    for (const [key, member] of Object.entries(input)) {
      if (forbidden.has(key)) return stop(`"${key}"`)
      if (dropped.has(key)) continue
      const name = keywords[key] ?? shortName(clean(key))
      if (name === "__proto__" || name === "") continue
      // One of them would be checked and the other one believed.
      if (Object.hasOwn(out, name)) return stop(`"${name.slice(0, 40)}" in two spellings`)
      const value = this.value(member, depth + 1)
      out[name] =
        name === "type"
          ? typeOf(value)
          : audiences.has(name)
            ? audience(value)
            : singular.has(name)
              ? single(name, value)
              : value
    }
    for (const [name, map] of languageMaps) {
      const texts = out[map]
      if ((out[name] ?? null) === null && isObject(texts)) out[name] = single(name, Object.values(texts)[0] ?? null)
    }
    const names = Object.keys(out)
    return names.length === 1 && names[0] === "id" && "@id" in input ? out["id"]! : out
  }
}

/**
 * Makes one spelling of all that JSON-LD allows for one meaning, before anything is checked or believed: members and types
 * under full IRIs and prefixes get the short names of ActivityStreams and PeerTube's contexts, `@value`, `@id`, `@list` and
 * lists in lists are unwrapped, members with one value hold it alone, the public collection has one name. A member in two
 * spellings, or more than one actor, is refused: it could be checked as one thing and used as the other. No context is
 * read, and none is fetched: what a document's own context makes of a name counts for nothing here (corpus AP-19, AP-20,
 * AP-29).
 */
export const normaliseResult = (input: unknown): Result.Result<JsonObject, MalformedDocument> => {
  // What JSON-LD expands to is a list of one.
  const document: unknown = Array.isArray(input) && input.length === 1 ? input[0] : input
  if (!isObject(document)) return Result.fail(new MalformedDocument({ why: "not an object" }))
  try {
    const value = new Walk().value(document, 0)
    return isObject(value) ? Result.succeed(value) : Result.fail(new MalformedDocument({ why: "not an object" }))
  } catch (error) {
    if (error instanceof Stop) return Result.fail(new MalformedDocument({ why: error.message }))
    throw error
  }
}
