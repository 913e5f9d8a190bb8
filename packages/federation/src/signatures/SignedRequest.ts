/** A request as it arrived, before anything was made of its body. */
export interface SignedRequest {
  /** As in the request line: upper case. */
  readonly method: string
  /** Raw path and query, as in the request line. */
  readonly target: string
  /** Names in lower case; fields that came several times are joined by `, ` (RFC 9110, 5.3). */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The exact bytes, before any content coding is undone; undefined for a request without content (GET, HEAD). */
  readonly body: Uint8Array | undefined
  /** Ours, with the port when it is not the scheme's: what `Host` has to say. */
  readonly host: string
  /** Ours: scheme and host. */
  readonly origin: string
}

/** `cavage` is draft-cavage-http-signatures-12, `rfc9421` is HTTP Message Signatures. */
export type SignatureForm = "cavage" | "rfc9421"

/** The form to try when a peer refuses this one (double-knock). */
export const otherForm = (form: SignatureForm): SignatureForm => (form === "cavage" ? "rfc9421" : "cavage")
