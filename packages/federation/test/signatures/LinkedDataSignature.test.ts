import { assert, describe, it } from "@effect/vitest"
import { hash, verify } from "node:crypto"
import { Effect } from "effect"
import { canonicalQuads } from "../../src/signatures/CanonicalQuads.ts"
import { NotSignable, signDocument } from "../../src/signatures/LinkedDataSignature.ts"
import { actor, now, pairs } from "./support/Signing.ts"

const { signing, verification } = pairs.rsa
const key = { ...signing, id: actor }
const security = "https://w3id.org/security/v1"
const activityStreams = "https://www.w3.org/ns/activitystreams"

const like = {
  "@context": [activityStreams, security, { RsaSignature2017: "https://w3id.org/security#RsaSignature2017" }],
  type: "Like",
  id: `${actor}/likes/1`,
  actor,
  object: "https://kinora.example/videos/watch/1"
}

describe("linked-data signatures", () => {
  it.effect("are made as the contract has it, over what RDF says", () =>
    Effect.gen(function* () {
      const signed = yield* signDocument(like, key, now)
      const { signature, ...document } = signed
      assert.deepStrictEqual(document, like)
      assert.hasAllKeys(signature, ["type", "creator", "created", "signatureValue"])
      assert.deepInclude(signature, { type: "RsaSignature2017", creator: actor, created: "2026-11-22T06:00:00.000Z" })
      const { creator, created } = signature
      const options = yield* canonicalQuads({ "@context": security, creator, created })
      const quads = yield* canonicalQuads(like)
      assert.strictEqual(
        quads,
        `<${like.id}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${activityStreams}#Like> .\n` +
          `<${like.id}> <${activityStreams}#actor> <${actor}> .\n` +
          `<${like.id}> <${activityStreams}#object> <${like.object}> .\n`
      )
      const text = hash("sha256", options, "hex") + hash("sha256", quads, "hex")
      assert.isTrue(
        verify("sha256", Buffer.from(text), verification.key, Buffer.from(signature.signatureValue, "base64"))
      )
    })
  )

  it.effect("take the place of one that was there", () =>
    Effect.gen(function* () {
      const once = yield* signDocument(like, key, now)
      assert.deepStrictEqual(yield* signDocument(once, key, now), once)
    })
  )

  it.effect("are the same for every order and spelling of the same statements", () =>
    Effect.gen(function* () {
      const { signature } = yield* signDocument(like, key, now)
      const { id, ...rest } = like
      const other = yield* signDocument({ ...rest, object: [{ id: like.object }], "@id": id }, key, now)
      assert.strictEqual(other.signature.signatureValue, signature.signatureValue)
    })
  )

  it.effect("fetch no context, and name the one that is missing (AP-19)", () =>
    Effect.gen(function* () {
      for (const context of [
        "https://evil.example/context",
        "http://127.0.0.1:1/",
        "file:///etc/passwd",
        "https://w3id.org/security/v2"
      ]) {
        const failure = yield* Effect.flip(signDocument({ ...like, "@context": [activityStreams, context] }, key, now))
        assert.instanceOf(failure, NotSignable)
        assert.include(failure.why, context)
      }
      const malformed = yield* Effect.flip(signDocument({ ...like, "@context": 1 }, key, now))
      assert.instanceOf(malformed, NotSignable)
    })
  )
})
