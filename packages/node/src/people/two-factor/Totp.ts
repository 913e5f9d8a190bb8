import { createHmac, timingSafeEqual } from "node:crypto"

/** Seconds of a time step (RFC 6238, 5.2). */
const stepSeconds = 30

const digits = 6
/** Steps before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const window = 1

/** The time step of an instant, in milliseconds since 1970. */
export const stepAt = (millis: number): number => Math.floor(millis / 1000 / stepSeconds)

/**
 * The code for a counter (RFC 4226, 5.3: HMAC-SHA-1 and dynamic truncation). With a time step as counter it is the code
 * of RFC 6238. `length` is the number of digits, 6 to 8.
 */
export const codeOf = (secret: Uint8Array, counter: number, length: number = digits): string => {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac("sha1", secret).update(message).digest()
  const offset = mac[mac.length - 1]! & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** length).padStart(length, "0")
}

/** What people type: authenticators show codes in groups. */
const typed = /^\d{6}$/

/** The code in the form that is compared. Undefined if it does not look like a code. */
const normalized = (code: string): string | undefined => {
  const text = code.length > 20 ? "" : code.replace(/[\s-]/g, "")
  return typed.test(text) ? text : undefined
}

/**
 * The time step that a code belongs to: the present one or a neighbour. Undefined: none matches. All are compared, each
 * in constant time. If two steps have the same code, the later one is returned.
 *
 * @param millis the present time, milliseconds since 1970
 */
export const matchingStep = (secret: Uint8Array, code: string, millis: number): number | undefined => {
  const given = normalized(code)
  if (given === undefined) return undefined
  const present = stepAt(millis)
  let found: number | undefined
  for (let step = Math.max(0, present - window); step <= present + window; step++) {
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(given))) found = step
  }
  return found
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** Base 32 without padding (RFC 4648, 6): how authenticators take secrets. */
export const toBase32 = (bytes: Uint8Array): string => {
  let text = ""
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >>> bits) & 31)
    }
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31)
}

/** Decodes base 32 without padding. Only for texts that `toBase32` made. */
export const fromBase32 = (text: string): Uint8Array => {
  const bytes: Array<number> = []
  let bits = 0
  let value = 0
  for (const character of text) {
    value = ((value << 5) | alphabet.indexOf(character)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >>> bits) & 255)
    }
  }
  return Uint8Array.from(bytes)
}

/**
 * The URI that authenticators read from a QR code (Key URI format). `:` separates the parts of the label, so no name
 * may contain it.
 */
export const keyUri = (issuer: string, account: string, secret: string): string => {
  const name = (text: string) => encodeURIComponent(text.replaceAll(":", " ").trim())
  const query = [
    ["secret", secret],
    ["issuer", name(issuer)],
    ["algorithm", "SHA1"],
    ["digits", digits],
    ["period", stepSeconds]
  ]
  return `otpauth://totp/${name(issuer)}:${name(account)}?${query.map((pair) => pair.join("=")).join("&")}`
}
