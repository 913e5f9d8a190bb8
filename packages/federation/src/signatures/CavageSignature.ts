import httpSignature from "http-signature"
import { Result } from "effect"
import { readCavageParameters } from "./CavageParameters.ts"
import type { Claim } from "./Claim.ts"
import {
  headerOf,
  isKeyId,
  isRecent,
  longestHeader,
  mostComponents,
  readBase64,
  readHttpDate,
  unusable
} from "./ClaimRules.ts"
import type { SignatureRefused } from "./SignatureRefused.ts"
import type { SignatureScheme } from "./SignatureScheme.ts"
import type { SignedRequest } from "./SignedRequest.ts"

/** What `algorithm` may say. `hs2019` and nothing leave it to the key. */
const schemes: ReadonlyMap<string, SignatureScheme | undefined> = new Map([
  ["hs2019", undefined],
  ["rsa-sha256", "rsa-v1_5-sha256"],
  ["rsa-sha512", "rsa-v1_5-sha512"],
  ["ed25519", "ed25519"],
  ["ed25519-sha512", "ed25519"]
])

/** Components in brackets that are read; `(algorithm)` and the like are in no draft. */
const special: ReadonlySet<string> = new Set(["(request-target)", "(created)", "(expires)"])
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/

/** Headers that `http-signature` would read as the signature itself. */
const unsignable: ReadonlySet<string> = new Set(["signature", "authorization", "request-line"])

interface Read {
  readonly covered: ReadonlyArray<string>
  readonly created: number | undefined
  readonly expires: number | undefined
}

const coverageProblem = ({ covered }: Read, request: SignedRequest): string | undefined => {
  if (covered.length > mostComponents || new Set(covered).size !== covered.length)
    return "headers are too many or come twice"
  for (const name of covered) {
    if (special.has(name)) continue
    if (!fieldName.test(name) || unsignable.has(name)) return "a signed header is not read here"
    if (headerOf(request.headers, name) === undefined) return "a signed header is not there"
  }
  if (!covered.includes("(request-target)") || !covered.includes("host"))
    return "(request-target) and host have to be signed"
  if (request.headers["host"]?.toLowerCase() !== request.host.toLowerCase()) return "host is not ours"
  const digested = covered.includes("digest") || covered.includes("content-digest")
  return request.body !== undefined && !digested ? "digest has to be signed" : undefined
}

const timeProblem = ({ covered, created, expires }: Read, request: SignedRequest, now: number): string | undefined => {
  const dated = covered.includes("date")
  const timed = covered.includes("(created)")
  if (!dated && !timed) return "date or (created) has to be signed"
  if (dated && !isRecent(readHttpDate(headerOf(request.headers, "date") ?? ""), now)) return "date is not of now"
  if (timed && created === undefined) return "(created) is signed and not there"
  if (created !== undefined && !isRecent(created * 1_000, now)) return "created is not of now"
  if (covered.includes("(expires)") && expires === undefined) return "(expires) is signed and not there"
  return expires !== undefined && expires * 1_000 < now ? "the signature has expired" : undefined
}

/**
 * What was signed, as `http-signature` puts it together. It is given nothing but headers that were looked at above, and an
 * algorithm that it knows: it refuses `hs2019`, drops a number at the end, takes
 * a missing `(created)` for the word `undefined`, and an unreadable date for a good one.
 */
const signingString = (read: Read, method: string, url: string, request: SignedRequest): string => {
  const headers: Record<string, string | undefined> = Object.create(null)
  for (const name of read.covered) if (!name.startsWith("(")) headers[name] = headerOf(request.headers, name)
  const times =
    (read.created === undefined ? "" : `created=${read.created},`) +
    (read.expires === undefined ? "" : `expires=${read.expires},`)
  headers["signature"] = `${times}keyId="-",algorithm="rsa-sha256",headers="${read.covered.join(" ")}",signature="-"`
  return httpSignature.parseRequest(
    { method, url, headers },
    { authorizationHeaderName: "signature", clockSkew: Number.MAX_SAFE_INTEGER, strict: true, headers: [] }
  ).signingString
}

/**
 * The signature of a request in the form of draft-cavage-http-signatures-12, checked as far as it can be without its key. `now`
 * is in milliseconds.
 */
export const readCavage = (
  header: string,
  request: SignedRequest,
  now: number
): Result.Result<Claim, SignatureRefused> => {
  if (header.length > longestHeader) return unusable("the signature is too long")
  const parameters = readCavageParameters(header)
  if (parameters === undefined) return unusable("the signature is malformed")
  const { keyId, algorithm = "hs2019", headers, created, expires } = parameters
  if (keyId === undefined || !isKeyId(keyId)) return unusable("keyId is none")
  if (!schemes.has(algorithm.toLowerCase())) return unusable("algorithm is not known")
  const named = schemes.get(algorithm.toLowerCase())
  const signature = readBase64(parameters.signature ?? "")
  if (signature === undefined || signature.length === 0) return unusable("the signature is malformed")
  const read: Read = { covered: (headers ?? "(created)").toLowerCase().split(" "), created, expires }
  if (algorithm.toLowerCase().startsWith("rsa") && read.covered.some((it) => it === "(created)" || it === "(expires)"))
    return unusable("(created) and (expires) are not of this algorithm")
  const problem = coverageProblem(read, request) ?? timeProblem(read, request, now)
  if (problem !== undefined) return unusable(problem)
  const bases = [signingString(read, request.method, request.target, request)]
  const query = request.target.indexOf("?")
  if (query !== -1 && request.body === undefined)
    bases.push(signingString(read, request.method, request.target.slice(0, query), request))
  return Result.succeed({ form: "cavage", keyId, named, bases, signature })
}
