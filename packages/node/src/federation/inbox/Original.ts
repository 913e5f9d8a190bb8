import { isObject } from "@kinora/federation/vocabulary/Json"

/** Contexts everybody knows. What another one makes of names is anybody's guess. */
const known: ReadonlySet<unknown> = new Set([
  "https://www.w3.org/ns/activitystreams",
  "https://w3id.org/security/v1",
  "https://w3id.org/security/data-integrity/v1"
])

/** What says whose an activity is, and what it is about. */
const settled: ReadonlySet<string> = new Set(["id", "type", "actor", "object", "signature"])

/** A term of its own, which cannot be read as one of those that are settled. */
const isHarmless = ([term, meaning]: [string, unknown]): boolean => {
  if (!/^[A-Za-z]\w*$/.test(term) || settled.has(term)) return false
  const iri = isObject(meaning) ? meaning["@id"] : meaning
  if (isObject(meaning) && !Object.keys(meaning).every((it) => it === "@id" || it === "@type")) return false
  return typeof iri === "string" && !iri.startsWith("@") && !/actor$/i.test(iri)
}

/** The database keeps no such characters: NUL, and halves of what is written in two. */
const unkept = /\\u(?:0000|d[89a-f])/i

const isPlain = (context: unknown): boolean =>
  Array.isArray(context)
    ? context.every((it) => !Array.isArray(it) && isPlain(it))
    : known.has(context) || (isObject(context) && Object.entries(context).every(isHarmless))

/**
 * The text of an activity that may be sent on with its signature: as it came, each member once. Undefined where its context
 * could make others read it as somebody else's than we did, who do not read contexts: it is signed by this instance, too,
 * when it is sent on.
 */
export const originalOf = (body: Uint8Array): string | undefined => {
  const document: unknown = JSON.parse(Buffer.from(body).toString())
  if (!isObject(document) || !isObject(document["signature"]) || !isPlain(document["@context"])) return undefined
  if (Object.keys(document).some((it) => it !== "@context" && !/^\w+$/.test(it))) return undefined
  const text = JSON.stringify(document)
  return unkept.test(text) ? undefined : text
}
