import { Effect } from "effect"
import { signedByCavage } from "./CavageSigning.ts"
import { contentDigestOf, digestOf } from "./Digest.ts"
import { signedByMessage } from "./MessageSigning.ts"
import type { SignatureForm } from "./SignedRequest.ts"
import type { SigningKey } from "./SigningKey.ts"

export interface RequestToSign {
  /** In upper case. */
  readonly method: string
  /** Absolute. Its fragment is neither sent nor signed. */
  readonly url: string
  /** Names in lower case. `date`, `digest` and `content-digest` are taken as they are when given. */
  readonly headers?: Readonly<Record<string, string>>
  /** The exact bytes that will be sent; left out for a request without content. */
  readonly body?: Uint8Array
  readonly form: SignatureForm
  readonly key: SigningKey
  /** Milliseconds since 1970. */
  readonly now: number
}

const httpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString()

/**
 * The headers to add to a request so that peers know whose it is: `date`, `signature`, with a body `digest` or
 * `content-digest`, and in the form of RFC 9421 `signature-input`. `host` is signed as the url has it and left to the HTTP client.
 */
export const signRequest: (request: RequestToSign) => Effect.Effect<Record<string, string>> = Effect.fnUntraced(
  function* ({ method, headers = {}, body, form, key, now, ...request }) {
    const url = new URL(request.url)
    const date = headers["date"] ?? httpDate(now)
    if (form === "cavage") {
      const digest = body === undefined ? undefined : (headers["digest"] ?? digestOf(body))
      const added = { date, ...(digest !== undefined && { digest }) }
      return { ...added, signature: yield* signedByCavage(key, method, url, added) }
    }
    const digest = body === undefined ? undefined : (headers["content-digest"] ?? contentDigestOf(body))
    const added = { date, ...(digest !== undefined && { "content-digest": digest }) }
    return { ...added, ...(yield* signedByMessage(key, method, url, added, Math.floor(now / 1_000))) }
  }
)
