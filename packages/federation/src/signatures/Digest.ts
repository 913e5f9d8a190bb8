import { hash } from "node:crypto"
import { headerOf } from "./ClaimRules.ts"
import { isInnerList, parseDictionary } from "./StructuredFields.ts"

/** `Digest` of RFC 3230, as every peer of the network reads it. */
export const digestOf = (body: Uint8Array): string => `SHA-256=${hash("sha256", body, "base64")}`

/** `Content-Digest` of RFC 9530. */
export const contentDigestOf = (body: Uint8Array): string => `sha-256=:${hash("sha256", body, "base64")}:`

const algorithms: Readonly<Record<string, string>> = { "sha-256": "sha256", "sha-512": "sha512" }
const one = /^(sha-256|sha-512)=([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==)$/i

const checkDigest = (header: string, body: Uint8Array): string | undefined => {
  const [, name = "", value = ""] = one.exec(header) ?? []
  const algorithm = algorithms[name.toLowerCase()]
  if (algorithm === undefined) return "digest is not one SHA-256 or SHA-512"
  return hash(algorithm, body, "base64") === value ? undefined : "digest is not that of the body"
}

const checkContentDigest = (header: string, body: Uint8Array): string | undefined => {
  const dictionary = parseDictionary(header)
  if (dictionary === undefined) return "content-digest is malformed"
  let known = 0
  for (const [name, member] of dictionary) {
    if (isInnerList(member) || !(member.value instanceof Uint8Array)) return "content-digest is malformed"
    const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
    if (algorithm === undefined) continue
    known++
    if (!hash(algorithm, body, "buffer").equals(member.value)) return "content-digest is not that of the body"
  }
  return known === 0 ? "content-digest has neither sha-256 nor sha-512" : undefined
}

/**
 * Why the digests of a request are not those of its exact bytes; undefined when they are, or when there are none. Where both
 * headers are there, both have to be right. `Digest` holds one algorithm, since with several each reader picks its own; of
 * `Content-Digest` every known algorithm has to be right, and others are passed over (RFC 9530, 2).
 */
export const digestProblem = (
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array
): string | undefined => {
  const digest = headerOf(headers, "digest")
  const contentDigest = headerOf(headers, "content-digest")
  return (
    (digest === undefined ? undefined : checkDigest(digest, body)) ??
    (contentDigest === undefined ? undefined : checkContentDigest(contentDigest, body))
  )
}
