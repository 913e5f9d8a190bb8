import { signRequest as fedifySign, verifyJsonLd, verifyRequest as fedifyVerify } from "@fedify/fedify/sig"
import { assert, describe, it } from "@effect/vitest"
import { webcrypto } from "node:crypto"
import { Clock, Effect } from "effect"
import type { SignatureForm, SignedRequest } from "../../src/signatures/SignedRequest.ts"
import { signDocument } from "../../src/signatures/LinkedDataSignature.ts"
import { signRequest } from "../../src/signatures/SignRequest.ts"
import { type KeyLookup, verifyRequest } from "../../src/signatures/VerifyRequest.ts"
import { actor, bytes, keyId, origin, pairs } from "./support/Signing.ts"

const { signing, verification } = pairs.rsa
const lookup: KeyLookup = () => Effect.succeed(verification)
const body = bytes(JSON.stringify({ type: "Like", actor, object: `${origin}/videos/watch/1` }))
const specs = { cavage: "draft-cavage-http-signatures-12", rfc9421: "rfc9421" } as const
const forms = Object.keys(specs) as ReadonlyArray<SignatureForm>

const key = Effect.promise(() =>
  webcrypto.subtle.importKey(
    "pkcs8",
    signing.privateKey.export({ format: "der", type: "pkcs8" }),
    { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    true,
    ["sign"]
  )
)

/** What the peer's fetches of our actor give. Contexts come from the peer's own store. */
const documentLoader = async (url: string) => ({
  contextUrl: null,
  documentUrl: url,
  document: {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    id: actor,
    type: "Person",
    inbox: `${actor}/inbox`,
    preferredUsername: "alice",
    publicKey: {
      id: keyId,
      owner: actor,
      publicKeyPem: verification.key.export({ format: "pem", type: "spki" }).toString()
    }
  }
})

const asArrived = (request: Request, content: Uint8Array | undefined): SignedRequest => {
  const { host, pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    headers: { host, ...Object.fromEntries(request.headers) },
    body: content,
    host,
    origin
  }
}

const headers = {
  "content-type": "application/activity+json",
  accept: "application/activity+json",
  "user-agent": "Peer/1"
}

describe("requests of and for @fedify/fedify", () => {
  for (const form of forms) {
    it.live(`are verified here when signed there (${form})`, () =>
      Effect.gen(function* () {
        const privateKey = yield* key
        for (const id of [keyId, actor])
          for (const [target, content] of [
            ["/inbox", body],
            ["/accounts/bob/outbox?page=1", undefined]
          ] as const) {
            const method = content === undefined ? "GET" : "POST"
            const request = new Request(origin + target, { method, headers, ...(content && { body: content }) })
            const signed = yield* Effect.promise(() =>
              fedifySign(request, privateKey, new URL(id), { spec: specs[form] })
            )
            const arrived = asArrived(signed, content)
            assert.deepInclude(yield* verifyRequest(arrived, lookup), { keyId: id, actor, form })
            const elsewhere = { ...arrived, target: "/elsewhere" }
            assert.strictEqual((yield* Effect.flip(verifyRequest(elsewhere, lookup))).status, 403)
          }
      })
    )

    it.live(`are verified there when signed here (${form})`, () =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        for (const id of [keyId, actor])
          for (const [target, content] of [
            ["/inbox", body],
            ["/users/bob", undefined]
          ] as const) {
            const method = content === undefined ? "GET" : "POST"
            const url = origin + target
            const added = yield* signRequest({
              method,
              url,
              form,
              key: { ...signing, id },
              now,
              ...(content && { body: content })
            })
            const { host } = new URL(url)
            const request = new Request(url, {
              method,
              headers: { ...headers, host, ...added },
              ...(content && { body: content })
            })
            const found = yield* Effect.promise(() => fedifyVerify(request, { documentLoader, spec: specs[form] }))
            assert.strictEqual(found?.id?.href, keyId, `${form} ${target} ${id}`)
          }
      })
    )
  }

  it.live("believe our linked-data signatures, and no changed document", () =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const activity = {
        "@context": [
          "https://www.w3.org/ns/activitystreams",
          "https://w3id.org/security/v1",
          {
            RsaSignature2017: "https://w3id.org/security#RsaSignature2017",
            sc: "http://schema.org/",
            language: "sc:inLanguage"
          }
        ],
        id: `${actor}/likes/1`,
        type: "Like",
        actor,
        object: { id: `${origin}/videos/watch/1`, type: "Video", language: "en", name: "A “name”\n\t\\" },
        to: ["https://www.w3.org/ns/activitystreams#Public"]
      }
      const signed = yield* signDocument(activity, signing, now)
      const options = { documentLoader }
      assert.isTrue(yield* Effect.promise(() => verifyJsonLd(signed, options)))
      const byActor = yield* signDocument(activity, { ...signing, id: actor }, now)
      assert.isTrue(yield* Effect.promise(() => verifyJsonLd(byActor, options)))
      const changed = { ...signed, object: { ...activity.object, language: "fr" } }
      assert.isFalse(yield* Effect.promise(() => verifyJsonLd(changed, options)))
    })
  )
})
