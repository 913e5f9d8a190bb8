import { Effect } from "effect"
import { signatureBase } from "./MessageSignature.ts"
import { signText } from "./SignatureScheme.ts"
import type { SigningKey } from "./SigningKey.ts"
import { type InnerList, type Item, serializeInnerList } from "./StructuredFields.ts"

const names = { rsa: "rsa-v1_5-sha256", ed25519: "ed25519" } as const

const component = (value: string): Item => ({ value, parameters: new Map() })

/**
 * `Signature-Input` and `Signature` of RFC 9421 over `@method`, `@target-uri`, `@authority` and `headers`. `created` is in seconds. No
 * `expires`: a peer's window of time is its own.
 */
export const signedByMessage = (
  { id, privateKey, algorithm }: SigningKey,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  created: number
): Effect.Effect<{ readonly "signature-input": string; readonly signature: string }> =>
  Effect.callback((resume) => {
    const covered: InnerList = {
      items: ["@method", "@target-uri", "@authority", ...Object.keys(headers)].map(component),
      parameters: new Map<string, string | number>([
        ["created", created],
        ["keyid", id],
        ["alg", names[algorithm]]
      ])
    }
    const target = url.pathname + url.search
    const base = signatureBase(covered, { method, target, host: url.host, origin: url.origin, headers })
    if (base === undefined) return resume(Effect.die(new Error("a header to sign cannot be signed")))
    signText(base, privateKey, algorithm, (failure, signature) => {
      const signed = { "signature-input": `sig1=${serializeInnerList(covered)}`, signature: `sig1=:${signature}:` }
      resume(failure === null ? Effect.succeed(signed) : Effect.die(failure))
    })
  })
