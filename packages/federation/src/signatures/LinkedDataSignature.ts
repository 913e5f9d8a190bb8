import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { canonicalQuads } from "./CanonicalQuads.ts"
import { signText } from "./SignatureScheme.ts"
import type { SigningKey } from "./SigningKey.ts"

/** The document cannot be canonised: a context that is not bundled, or JSON-LD that is none. */
export class NotSignable extends Schema.TaggedError<NotSignable>()("NotSignable", { why: Schema.String }) {}

/** What peers read to believe an activity that somebody else forwards to them. */
export interface LinkedDataSignature {
  readonly type: "RsaSignature2017"
  /** The actor, whose document has the key. */
  readonly creator: string
  readonly created: string
  readonly signatureValue: string
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()

const sha256 = (text: string): string => hash("sha256", text, "hex")

/** The options of a signature are always these two quads, in this order: no need to canonise them each time. */
const optionQuads = (creator: string, created: string): string =>
  `_:c14n0 <http://purl.org/dc/terms/created> "${created}"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n` +
  `_:c14n0 <http://purl.org/dc/terms/creator> <${creator}> .\n`

const signed = (text: string, { privateKey }: SigningKey): Effect.Effect<string> =>
  Effect.callback((resume) =>
    signText(text, privateKey, "rsa", (failure, signature) =>
      resume(failure === null ? Effect.succeed(signature) : Effect.die(failure))
    )
  )

/**
 * Signs a JSON-LD document (contract activitypub.json, signatures.linkedData): RSA with SHA-256 over the hashes of the
 * signature's options and of the document, each in canonical N-Quads. `key` has to be an RSA key, `created` is in milliseconds
 * since 1970. Made once an activity, whoever it is delivered to; such signatures are never believed here.
 */
export const signDocument: <Document extends Readonly<Record<string, unknown>>>(
  document: Document,
  key: SigningKey,
  created: number
) => Effect.Effect<Document & { readonly signature: LinkedDataSignature }, NotSignable> = Effect.fn("signDocument")(
  function* (document, key, created) {
    const { signature: _, ...unsigned } = document as typeof document & { readonly signature?: unknown }
    const quads = yield* canonicalQuads(unsigned).pipe(Effect.mapError((why) => new NotSignable({ why })))
    const time = isoTime(created)
    const creator = key.id.replace(/#.*$/, "")
    const text = sha256(optionQuads(creator, time)) + sha256(quads)
    const signatureValue = yield* signed(text, key)
    return { ...document, signature: { type: "RsaSignature2017", creator, created: time, signatureValue } }
  }
)
