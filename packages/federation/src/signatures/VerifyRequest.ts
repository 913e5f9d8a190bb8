import { Clock, Effect, Result } from "effect"
import { sameOrigin } from "../authority/Authority.ts"
import { readCavage } from "./CavageSignature.ts"
import { type Claim, verifyWith } from "./Claim.ts"
import { headerOf, unusable } from "./ClaimRules.ts"
import { digestProblem } from "./Digest.ts"
import { readMessageSignatures } from "./MessageSignature.ts"
import { SignatureRefused } from "./SignatureRefused.ts"
import type { SignatureForm, SignedRequest } from "./SignedRequest.ts"
import type { VerificationKey } from "./VerificationKey.ts"

/** Who signed. A body that names another actor is not the signer's to send, or has to be fetched from its own origin. */
export interface Verified {
  /** As sent. */
  readonly keyId: string
  /** Url of the key's owner. */
  readonly actor: string
  readonly form: SignatureForm
  /** Identifies a signature: the same one again is the same request again. */
  readonly signature: string
}

/**
 * Finds the key of a key id, which is an http(s) url with or without a fragment, or `acct:name@host`. `again` asks for it to be
 * fetched anew, as the known one did not verify and may have been replaced; to answer with the same key is no mistake.
 */
export type KeyLookup = (keyId: string, again: boolean) => Effect.Effect<VerificationKey, SignatureRefused>

const noBody = new Uint8Array(0)

const readClaims = (request: SignedRequest, now: number): Result.Result<ReadonlyArray<Claim>, SignatureRefused> => {
  const input = headerOf(request.headers, "signature-input")
  const signature = headerOf(request.headers, "signature")
  const claims =
    input !== undefined
      ? readMessageSignatures(input, request, now)
      : signature !== undefined
        ? readCavage(signature, request, now).pipe(Result.map((claim) => [claim]))
        : unusable("the request is not signed")
  if (Result.isFailure(claims)) return claims
  const problem = digestProblem(request.headers, request.body ?? noBody)
  return problem === undefined ? claims : unusable(problem)
}

/** The key that verifies a claim: the known one, or else the one it was replaced by. */
const keyOf = Effect.fnUntraced(function* (claim: Claim, keys: KeyLookup) {
  const known = yield* keys(claim.keyId, false)
  if (verifyWith(claim, known.key)) return known
  const renewed = yield* keys(claim.keyId, true)
  if (!renewed.key.equals(known.key) && verifyWith(claim, renewed.key)) return renewed
  return yield* new SignatureRefused({ status: 403, why: "the signature does not verify" })
})

const ownerOf = Effect.fnUntraced(function* (claim: Claim, keys: KeyLookup) {
  const { id, owner } = yield* keyOf(claim, keys)
  if (sameOrigin(owner, id) && (claim.keyId.startsWith("acct:") || sameOrigin(owner, claim.keyId))) return owner
  return yield* new SignatureRefused({ status: 403, why: "the key is not of its owner's origin" })
})

/**
 * Finds out who signed a request, in the form of draft-cavage-12 or of RFC 9421; the second whenever there is a `Signature-Input`.
 * Everything that needs no key comes first: shape, window of time (1,800 s), what is covered, digests of the body. Every
 * signature that is meant for us has to verify, and all by one actor. docs/decisions/signatures.md has the rules.
 */
export const verifyRequest: (request: SignedRequest, keys: KeyLookup) => Effect.Effect<Verified, SignatureRefused> =
  Effect.fnUntraced(function* (request, keys) {
    const claims = readClaims(request, yield* Clock.currentTimeMillis)
    if (Result.isFailure(claims)) return yield* claims.failure
    const [first, ...others] = claims.success
    if (first === undefined) return yield* new SignatureRefused({ status: 401, why: "the request is not signed" })
    const actor = yield* ownerOf(first, keys)
    for (const claim of others)
      if ((yield* ownerOf(claim, keys)) !== actor)
        return yield* new SignatureRefused({ status: 403, why: "the signatures are of different actors" })
    const signature = Buffer.from(first.signature.subarray(-32)).toString("base64")
    return { keyId: first.keyId, actor, form: first.form, signature }
  })
