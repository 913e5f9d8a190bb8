import { Result } from "effect"
import { originOf } from "../authority/Authority.ts"
import { SignatureRefused } from "./SignatureRefused.ts"

/** How far a sender's clock may be off, in seconds (contract activitypub.json, signatures.http.clockSkewSeconds). */
const clockSkewSeconds = 1_800

/** Longest `Signature` or `Signature-Input` header that is read, in characters. */
export const longestHeader = 8_192

/** Most components a signature may cover. */
export const mostComponents = 64

/** Nothing of use: 401, so that a sender that knows another form tries that. */
export const unusable = (why: string): Result.Result<never, SignatureRefused> =>
  Result.fail(new SignatureRefused({ status: 401, why }))

const httpDate = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Milliseconds of an HTTP date (RFC 9110, 5.6.7; the obsolete forms are not read). NaN when it is none. */
export const readHttpDate = (text: string): number => (httpDate.test(text) ? Date.parse(text) : Number.NaN)

/** Whether a moment (milliseconds) is near enough to `now`; false for NaN. */
export const isRecent = (moment: number, now: number): boolean => Math.abs(now - moment) <= clockSkewSeconds * 1_000

const printable = /^[!-~]+$/
const acct = /^acct:[\w.~-]{1,256}@[\w.-]+(?::\d{1,5})?$/

/** Whether a text can be a key's id: an http(s) url without credentials, or `acct:name@host`. */
export const isKeyId = (text: string): boolean =>
  text.startsWith("acct:") ? acct.test(text) : printable.test(text) && originOf(text) !== null

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes of canonical base64 (RFC 4648, 4: padded, no unused bits set), which alone is read: one text for one value. */
export const readBase64 = (text: string): Uint8Array | undefined => {
  if (!base64.test(text)) return undefined
  const bytes = Buffer.from(text, "base64")
  return text.endsWith("=") && bytes.toString("base64") !== text ? undefined : bytes
}

/** The header's value, of own headers only: `constructor` is no header. */
export const headerOf = (headers: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  Object.hasOwn(headers, name) ? headers[name] : undefined
