import { hash } from "node:crypto"

/** Up to so many characters a loop is cheaper than a call into OpenSSL. */
const shortText = 300

/** A 53-bit checksum of a short text: two multiplicative hashes side by side. */
const shortChecksum = (text: string): string => {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return (4294967296 * (0x1fffff & b) + (a >>> 0)).toString(36)
}

/** Weak entity tag of a text: its length and a checksum (nothing secret stands on it). */
export const weakEtag = (text: string, bytes: number): string =>
  `W/"${bytes.toString(16)}-${text.length <= shortText ? shortChecksum(text) : hash("sha1", text, "base64url")}"`

const opaque = (tag: string): string => (tag.startsWith("W/") ? tag.slice(2) : tag).trim()

/** Whether If-None-Match names the tag; comparison is weak (RFC 9110, 13.1.2). */
export const noneMatchHas = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true
  const wanted = opaque(etag)
  return header.split(",").some((tag) => opaque(tag.trim()) === wanted)
}

/** Whether If-Match names the tag; comparison is strong (RFC 9110, 13.1.1). */
export const matchHas = (header: string, etag: string): boolean => {
  if (header.trim() === "*") return true
  return !etag.startsWith("W/") && header.split(",").some((tag) => tag.trim() === etag)
}
