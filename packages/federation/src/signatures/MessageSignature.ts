import { Result } from "effect"
import type { Claim } from "./Claim.ts"
import { headerOf, isKeyId, isRecent, longestHeader, mostComponents, readHttpDate, unusable } from "./ClaimRules.ts"
import type { SignatureRefused } from "./SignatureRefused.ts"
import type { SignatureScheme } from "./SignatureScheme.ts"
import type { SignedRequest } from "./SignedRequest.ts"
import {
  type InnerList,
  isInnerList,
  type Item,
  parseDictionary,
  serializeInnerList,
  serializeItem
} from "./StructuredFields.ts"

/** Most signatures meant for us in one request: each costs a key and a verification. */
const mostSignatures = 2

const schemes: ReadonlyMap<string, SignatureScheme> = new Map(
  (["rsa-v1_5-sha256", "rsa-v1_5-sha512", "rsa-pss-sha512", "ed25519"] as const).map((it) => [it, it])
)

/** What components are derived from; `host` and `origin` are the receiver's. */
type MessageParts = Omit<SignedRequest, "body">

const pathOf = (target: string): string => {
  const end = target.indexOf("?")
  return (end === -1 ? target : target.slice(0, end)) || "/"
}

const queryOf = (target: string): string => {
  const start = target.indexOf("?")
  return start === -1 ? "?" : target.slice(start)
}

const derived = (name: string, { method, target, host, origin }: MessageParts): string | undefined => {
  switch (name) {
    case "@method":
      return method
    case "@target-uri":
      return origin + target
    case "@authority":
      return host.toLowerCase()
    case "@scheme":
      return origin.slice(0, origin.indexOf(":"))
    case "@request-target":
      return target
    case "@path":
      return pathOf(target)
    case "@query":
      return queryOf(target)
    default:
      return undefined
  }
}

/** Value of a component (RFC 9421, 2): no component with parameters is read, as none is needed to sign a request of this network. */
const componentValue = ({ value, parameters }: Item, request: MessageParts): string | undefined => {
  if (typeof value !== "string" || parameters.size > 0 || value !== value.toLowerCase()) return undefined
  return value.startsWith("@") ? derived(value, request) : headerOf(request.headers, value)?.trim()
}

/** The signature base (RFC 9421, 2.5). Undefined when a component is not there, is not read, or is named twice. */
export const signatureBase = (covered: InnerList, request: MessageParts): string | undefined => {
  const seen = new Set<string>()
  let base = ""
  for (const item of covered.items) {
    const identifier = serializeItem(item)
    const value = componentValue(item, request)
    if (value === undefined || seen.has(identifier)) return undefined
    seen.add(identifier)
    base += `${identifier}: ${value}\n`
  }
  return `${base}"@signature-params": ${serializeInnerList(covered)}`
}

/** What a signature has to cover, so that it is of this request and of no other. */
const coverageProblem = (covered: InnerList, { target, body }: SignedRequest): string | undefined => {
  const has = (name: string) => covered.items.some((it) => it.value === name)
  const query = !target.includes("?") || has("@query")
  const uri =
    has("@target-uri") || ((has("@authority") || has("host")) && (has("@request-target") || (has("@path") && query)))
  if (!has("@method") || !uri) return "@method and @target-uri have to be signed"
  return body !== undefined && !has("content-digest") ? "content-digest has to be signed" : undefined
}

const timeProblem = (covered: InnerList, request: SignedRequest, now: number): string | undefined => {
  const created = covered.parameters.get("created")
  const expires = covered.parameters.get("expires")
  const dated = covered.items.some((it) => it.value === "date")
  if (created === undefined && !dated) return "neither created nor date is signed"
  if (created !== undefined && !(typeof created === "number" && isRecent(created * 1_000, now)))
    return "created is not of now"
  if (dated && !isRecent(readHttpDate(headerOf(request.headers, "date") ?? ""), now)) return "date is not of now"
  if (expires !== undefined && !(typeof expires === "number" && expires * 1_000 >= now))
    return "the signature has expired"
  return undefined
}

const readOne = (covered: InnerList, signature: Uint8Array, request: SignedRequest, now: number) => {
  if (covered.items.length > mostComponents) return unusable("too many components")
  const keyId = covered.parameters.get("keyid")
  if (typeof keyId !== "string" || !isKeyId(keyId)) return unusable("keyid is none")
  const alg = covered.parameters.get("alg")
  const named = typeof alg === "string" ? schemes.get(alg) : undefined
  if (alg !== undefined && named === undefined) return unusable("alg is not known")
  const problem = coverageProblem(covered, request) ?? timeProblem(covered, request, now)
  if (problem !== undefined) return unusable(problem)
  if (
    covered.items.some((it) => it.value === "host") &&
    request.headers["host"]?.toLowerCase() !== request.host.toLowerCase()
  )
    return unusable("host is not ours")
  const base = signatureBase(covered, request)
  if (base === undefined) return unusable("a signed component is not there, is not read here, or comes twice")
  return Result.succeed<Claim>({ form: "rfc9421", keyId, named, bases: [base], signature })
}

/**
 * The signatures of a request in the form of RFC 9421, each checked as far as it can be without keys. Labels of the two headers
 * have to be the same; those with a `tag` of another application are not meant for us. `now` is in milliseconds.
 */
export const readMessageSignatures = (
  input: string,
  request: SignedRequest,
  now: number
): Result.Result<ReadonlyArray<Claim>, SignatureRefused> => {
  const header = headerOf(request.headers, "signature")
  if (header === undefined) return unusable("signature-input without signature")
  if (header.length > longestHeader || input.length > longestHeader) return unusable("the signature is too long")
  const inputs = parseDictionary(input)
  const signatures = parseDictionary(header)
  if (inputs === undefined || signatures === undefined) return unusable("signature-input or signature is malformed")
  if (inputs.size !== signatures.size) return unusable("labels of signature-input and signature differ")
  const claims: Array<Claim> = []
  for (const [label, covered] of inputs) {
    const signature = signatures.get(label)
    if (signature === undefined) return unusable("labels of signature-input and signature differ")
    if (!isInnerList(covered) || isInnerList(signature) || !(signature.value instanceof Uint8Array))
      return unusable("signature-input or signature is malformed")
    const tag = covered.parameters.get("tag")
    if (tag !== undefined && tag !== "activitypub") continue
    if (claims.length === mostSignatures) return unusable("too many signatures")
    const claim = readOne(covered, signature.value, request, now)
    if (Result.isFailure(claim)) return Result.fail(claim.failure)
    claims.push(claim.success)
  }
  return claims.length === 0 ? unusable("no signature is meant for this application") : Result.succeed(claims)
}
