import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import type { SignatureForm, SignedRequest } from "../../../src/signatures/SignedRequest.ts"
import { signRequest } from "../../../src/signatures/SignRequest.ts"
import type { SigningKey } from "../../../src/signatures/SigningKey.ts"
import type { VerificationKey } from "../../../src/signatures/VerificationKey.ts"
import { type KeyLookup, verifyRequest } from "../../../src/signatures/VerifyRequest.ts"

/** The moment of all tests, in milliseconds. */
export const now = Date.UTC(2026, 10, 22, 6, 0, 0)

/** What a clock that is off by so many seconds would send as `Date`. */
export const dateHeader = (offSeconds = 0): string => new Date(now + offSeconds * 1_000).toUTCString()

export const actor = "https://peer.example/users/alice"
export const keyId = `${actor}#main-key`

export interface Pair {
  readonly signing: SigningKey
  readonly verification: VerificationKey
}

const pairOf = (
  algorithm: "rsa" | "ed25519",
  keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
) => ({
  signing: { id: keyId, privateKey: keys.privateKey, algorithm },
  verification: { id: keyId, owner: actor, key: keys.publicKey }
})

export const pairs: Readonly<Record<"rsa" | "ed25519", Pair>> = {
  rsa: pairOf("rsa", generateKeyPairSync("rsa", { modulusLength: 2_048 })),
  ed25519: pairOf("ed25519", generateKeyPairSync("ed25519"))
}

export const host = "kinora.example"
export const origin = `https://${host}`

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A request as our node gets it from a peer that signs as we do. */
export const signedBy = Effect.fn(function* (
  key: SigningKey,
  form: SignatureForm,
  options: { readonly target?: string; readonly body?: Uint8Array; readonly now?: number } = {}
) {
  const { target = "/inbox", body } = options
  const method = body === undefined ? "GET" : "POST"
  const url = origin + target
  const headers = yield* signRequest({ method, url, form, key, now: options.now ?? now, ...(body && { body }) })
  const request: SignedRequest = {
    method,
    target,
    headers: { ...headers, host, "content-type": "application/activity+json" },
    body,
    host,
    origin
  }
  return request
})

/** Answers each lookup with the next key; the last one for good. Notes what was asked. */
export const keysOf = (...answers: ReadonlyArray<VerificationKey>) => {
  const asked: Array<readonly [keyId: string, again: boolean]> = []
  const lookup: KeyLookup = (id, again) =>
    Effect.sync(() => {
      const answer = answers[Math.min(asked.length, answers.length - 1)]
      asked.push([id, again])
      return answer ?? pairs.rsa.verification
    })
  return { asked, lookup }
}

/** Verifies at the moment of all tests. */
export const verify = (request: SignedRequest, keys: KeyLookup | VerificationKey = pairs.rsa.verification) =>
  TestClock.setTime(now).pipe(
    Effect.andThen(verifyRequest(request, typeof keys === "function" ? keys : () => Effect.succeed(keys)))
  )

/** Why a request is refused, as `status: why`. */
export const refusal = (request: SignedRequest, keys?: KeyLookup | VerificationKey) =>
  verify(request, keys).pipe(
    Effect.flip,
    Effect.map(({ status, why }) => `${status}: ${why}`)
  )

export const without = (headers: SignedRequest["headers"], ...names: ReadonlyArray<string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** A `Signature` of draft-cavage over any text, as no honest signer would make it. */
export const cavageHeader = (
  fields: { readonly headers: string; readonly algorithm?: string; readonly keyId?: string; readonly more?: string },
  text: string,
  key: KeyObject = pairs.rsa.signing.privateKey
): string => {
  const signature = sign(key.asymmetricKeyType === "rsa" ? "sha256" : null, Buffer.from(text, "latin1"), key)
  const algorithm = fields.algorithm === undefined ? "" : `,algorithm="${fields.algorithm}"`
  return (
    `keyId="${fields.keyId ?? keyId}"${algorithm}${fields.more ?? ""},` +
    `headers="${fields.headers}",signature="${signature.toString("base64")}"`
  )
}
