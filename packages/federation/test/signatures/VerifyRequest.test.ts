import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSync } from "node:crypto"
import { Effect } from "effect"
import * as fc from "fast-check"
import { SignatureRefused } from "../../src/signatures/SignatureRefused.ts"
import type { SignedRequest } from "../../src/signatures/SignedRequest.ts"
import { otherForm } from "../../src/signatures/SignedRequest.ts"
import { actor, bytes, keyId, keysOf, pairs, refusal, signedBy, verify } from "./support/Signing.ts"

const body = bytes(JSON.stringify({ type: "Create", object: { content: "abc" } }))
const forms = ["cavage", "rfc9421"] as const
const cases = forms.flatMap((form) => (["rsa", "ed25519"] as const).map((key) => [form, key] as const))
const stranger = { ...pairs.rsa.verification, key: generateKeyPairSync("ed25519").publicKey }

/** Another character at a place of a text, never the same one. */
const flipped = (text: string, place: number, by: number): string => {
  const at = place % text.length
  const code = text.charCodeAt(at)
  const changed = 0x21 + ((code - 0x21 + 1 + (by % 93)) % 94)
  return text.slice(0, at) + String.fromCharCode(changed === code ? 0x21 : changed) + text.slice(at + 1)
}

describe("verifyRequest", () => {
  it.effect("asks once more for a key that does not verify, and no third time", () =>
    Effect.gen(function* () {
      const { signing, verification } = pairs.rsa
      for (const form of forms) {
        const request = yield* signedBy(signing, form, { body })
        const rotated = keysOf(stranger, verification)
        assert.deepInclude(yield* verify(request, rotated.lookup), { keyId, actor, form })
        assert.deepStrictEqual(rotated.asked, [
          [keyId, false],
          [keyId, true]
        ])
        const same = keysOf(stranger)
        assert.strictEqual(yield* refusal(request, same.lookup), "403: the signature does not verify")
        assert.lengthOf(same.asked, 2)
        const known = keysOf(verification)
        yield* verify(request, known.lookup)
        assert.lengthOf(known.asked, 1)
      }
    })
  )

  it.effect("hands on why a key cannot be had", () =>
    Effect.gen(function* () {
      const request = yield* signedBy(pairs.rsa.signing, "cavage", { body })
      const unavailable = () => Effect.fail(new SignatureRefused({ status: 503, why: "the host rests" }))
      assert.strictEqual(yield* refusal(request, unavailable), "503: the host rests")
    })
  )

  it.effect("refuses a key whose owner is of another origin than key or key id", () =>
    Effect.gen(function* () {
      const { signing, verification } = pairs.rsa
      for (const form of forms)
        for (const [id, key] of [
          [keyId, { owner: "https://victim.example/users/alice" }],
          [keyId, { owner: "http://peer.example/users/alice" }],
          [keyId, { owner: "https://peer.example:444/users/alice" }],
          [keyId, { owner: "not a url" }],
          [keyId, { id: "https://evil.example/key" }],
          ["https://evil.example/redirect", {}],
          ["acct:alice@evil.example", { id: "https://evil.example/key" }]
        ] as const) {
          const request = yield* signedBy({ ...signing, id }, form, { body })
          assert.match(
            yield* refusal(request, { ...verification, ...key }),
            /^403: the key is not of its owner's origin/
          )
        }
    })
  )

  it.effect("reads the form of RFC 9421, and nothing else, whenever there is a Signature-Input (AP-12)", () =>
    Effect.gen(function* () {
      const { signing, verification } = pairs.rsa
      const cavage = yield* signedBy(signing, "cavage", { body })
      const message = yield* signedBy(signing, "rfc9421", { body })
      const both = { ...cavage.headers, ...message.headers }
      const { asked, lookup } = keysOf(verification)
      for (const signature of [
        cavage.headers["signature"],
        `${message.headers["signature"]}, ${cavage.headers["signature"]}`,
        `${cavage.headers["signature"]}, ${message.headers["signature"]}`
      ])
        assert.match(yield* refusal({ ...message, headers: { ...both, signature } }, lookup), /^401: .* malformed$/)
      assert.match(yield* refusal({ ...message, headers: { ...both, "signature-input": "" } }, lookup), /^401/)
      assert.isEmpty(asked)
      assert.strictEqual((yield* verify({ ...message, headers: both })).form, "rfc9421")
    })
  )

  for (const [form, key] of cases)
    it.effect(`refuses any changed byte of what is signed (${form}, ${key})`, () =>
      Effect.gen(function* () {
        const { signing, verification } = pairs[key]
        const request = yield* signedBy(signing, form, { body, target: "/accounts/bob/inbox?x=1" })
        const names = ["date", "signature", ...(form === "cavage" ? ["digest", "host"] : ["content-digest"])]
        const places = fc.record({
          place: fc.nat(5_000),
          by: fc.nat(92),
          what: fc.constantFrom("body", "target", "method", ...names)
        })
        const change = ({ place, by, what }: { place: number; by: number; what: string }): SignedRequest => {
          if (what === "body")
            return { ...request, body: body.map((it, at) => (at === place % body.length ? it ^ (by + 1) : it)) }
          if (what === "target") return { ...request, target: flipped(request.target, place, by) }
          if (what === "method") return { ...request, method: place % 2 === 0 ? "PUT" : "DELETE" }
          const value = request.headers[what] ?? ""
          if (what !== "signature")
            return { ...request, headers: { ...request.headers, [what]: flipped(value, place, by) } }
          const start = value.search(/[^"=:]{80}/)
          const end = value.length - 3
          const changed = flipped(value.slice(start, end), place, by)
          return {
            ...request,
            headers: { ...request.headers, signature: value.slice(0, start) + changed + value.slice(end) }
          }
        }
        for (const sample of fc.sample(places, { numRuns: 150, seed: 7 }))
          assert.match(yield* refusal(change(sample), verification), /^40[13]: /, JSON.stringify(sample))
        assert.strictEqual((yield* verify(request, verification)).actor, actor)
      })
    )

  it("knows the other form", () => {
    assert.strictEqual(otherForm("cavage"), "rfc9421")
    assert.strictEqual(otherForm("rfc9421"), "cavage")
  })
})
