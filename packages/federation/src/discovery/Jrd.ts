import { isActivityType } from "../negotiation/ActivityTypes.ts"
import { Result, Schema } from "effect"

/** How somebody is called (RFC 7565, without the scheme): both parts in lower case, the host with a port that is not the scheme's own. */
export interface Handle {
  readonly name: string
  readonly host: string
}

export const sameHandle = (one: Handle, other: Handle): boolean => one.name === other.name && one.host === other.host

const Link = Schema.Struct({
  rel: Schema.String,
  type: Schema.optional(Schema.NullOr(Schema.String)),
  href: Schema.optional(Schema.NullOr(Schema.String))
})

/** What is read of a JSON Resource Descriptor (RFC 7033, 4.4); links that are none are passed over. */
const Document = Schema.Struct({
  subject: Schema.optional(Schema.NullOr(Schema.String)),
  links: Schema.Array(Schema.Unknown)
})

const decodeDocument = Schema.decodeUnknownResult(Document)
const decodeLink = Schema.decodeUnknownResult(Link)

/** Longest address of an actor that is looked at, in characters. */
const maxHref = 2_000

const account = /^acct:([^@\s]{1,128})@([^@\s/?#]{1,255})$/i

/** Reads an `acct:` URI as servers write it; undefined when it is none. */
const parseAccount = (uri: string): Handle | undefined => {
  const match = account.exec(uri)
  if (match === null) return undefined
  try {
    return { name: decodeURIComponent(match[1]!).toLowerCase(), host: decodeURIComponent(match[2]!).toLowerCase() }
  } catch {
    return undefined
  }
}

export interface Jrd {
  /** Absent when the document names none. */
  readonly subject: Handle | undefined
  /** Address of the actor, absolute. */
  readonly actor: URL
}

/** What a descriptor says of an actor; fails with what is wrong with it. */
export const readJrd = (value: unknown): Result.Result<Jrd, "document" | "subject" | "links"> => {
  const document = decodeDocument(value)
  if (Result.isFailure(document)) return Result.fail("document")
  const named = document.success.subject
  const subject = named === undefined || named === null ? undefined : parseAccount(named)
  if (typeof named === "string" && subject === undefined) return Result.fail("subject")
  for (const item of document.success.links) {
    const link = decodeLink(item)
    if (Result.isFailure(link) || link.success.rel !== "self" || !isActivityType(link.success.type)) continue
    const href = link.success.href ?? ""
    const actor = href.length > maxHref ? null : URL.parse(href)
    if (actor !== null && /^https?:$/.test(actor.protocol)) return Result.succeed({ subject, actor })
  }
  return Result.fail("links")
}
