import { assert, describe, it } from "@effect/vitest"
import { hash } from "node:crypto"
import { Effect } from "effect"
import { contentDigestOf, digestOf, digestProblem } from "../../src/signatures/Digest.ts"
import { bytes, keysOf, pairs, refusal, signedBy, verify } from "./support/Signing.ts"

const body = bytes('{"type":"Like","object":"é"}')
const other = bytes('{"type":"Like","object":"e"}')
const sha256 = (it: Uint8Array) => hash("sha256", it, "base64")
const sha512 = (it: Uint8Array) => hash("sha512", it, "base64")

const broken: ReadonlyArray<string> = [
  "",
  "SHA-256",
  "SHA-256=",
  sha256(body),
  `SHA-256=${sha256(other)}`,
  `SHA-256=${sha256(body).toLowerCase()}`,
  `SHA-256=${sha256(body).slice(0, -1)}`,
  `SHA-256= ${sha256(body)}`,
  `SHA-256=${sha256(body)};q=1`,
  `SHA-256=:${sha256(body)}:`,
  `SHA-256=${hash("sha256", body, "hex")}`,
  `SHA-256=${sha256(body)},SHA-256=${sha256(body)}`,
  `SHA-256=${sha256(other)}, SHA-256=${sha256(body)}`,
  `SHA-256=${sha256(body)},SHA-512=${sha512(body)}`,
  `MD5=${hash("md5", body, "base64")}`,
  `SHA=${hash("sha1", body, "base64")}`,
  `SHA-512=${sha256(body)}`,
  `constructor=${sha256(body)}`,
  "SHA-256=\u0000",
  "=".repeat(10_000)
]

const brokenContent: ReadonlyArray<string> = [
  "",
  `sha-256=${sha256(body)}`,
  `SHA-256=:${sha256(body)}:`,
  `sha-256=:${sha256(other)}:`,
  `sha-256=:${sha256(body).slice(0, -1)}:`,
  `sha-256=:${sha256(body)}:, sha-512=:${sha512(other)}:`,
  `sha-256=:${sha256(other)}:, sha-256=:${sha256(body)}:`,
  `sha-256=(:${sha256(body)}:)`,
  `md5=:${hash("md5", body, "base64")}:`,
  `sha-256="${sha256(body)}"`,
  `sha-256=:${sha256(body)}:,`
]

describe("Digest and Content-Digest", () => {
  it("are right for the exact bytes", () => {
    assert.isUndefined(digestProblem({}, body))
    for (const digest of [digestOf(body), `sha-256=${sha256(body)}`, `SHA-512=${sha512(body)}`])
      assert.isUndefined(digestProblem({ digest }, body), digest)
    for (const digest of [
      contentDigestOf(body),
      `sha-512=:${sha512(body)}:`,
      `sha-256=:${sha256(body)}:, sha-512=:${sha512(body)}:`,
      `sha-256=:${sha256(body)}:;of=1, md5=:AAAA:`
    ])
      assert.isUndefined(digestProblem({ "content-digest": digest }, body), digest)
    assert.isUndefined(digestProblem({ digest: digestOf(bytes("")) }, bytes("")))
  })

  it("are refused when malformed, of two minds, of weak algorithms only, or of other bytes (AP-09)", () => {
    for (const digest of broken) assert.isString(digestProblem({ digest }, body), digest)
    for (const digest of brokenContent) assert.isString(digestProblem({ "content-digest": digest }, body), digest)
  })

  it("have both to be right where both are there (AP-12)", () => {
    const right = { digest: digestOf(body), "content-digest": contentDigestOf(body) }
    assert.isUndefined(digestProblem(right, body))
    assert.isString(digestProblem({ ...right, digest: digestOf(other) }, body))
    assert.isString(digestProblem({ ...right, "content-digest": contentDigestOf(other) }, body))
  })

  it.effect("are looked at before a key is asked for, in both forms", () =>
    Effect.gen(function* () {
      for (const form of ["cavage", "rfc9421"] as const) {
        const request = yield* signedBy(pairs.rsa.signing, form, { body })
        const { asked, lookup } = keysOf(pairs.rsa.verification)
        assert.match(
          yield* refusal({ ...request, body: other }, lookup),
          /^401: (content-)?digest is not that of the body/
        )
        assert.match(yield* refusal({ ...request, body: new Uint8Array(0) }, lookup), /^401/)
        for (const name of ["digest", "content-digest"]) {
          const headers = { ...request.headers, [name]: "SHA-256=" }
          assert.match(yield* refusal({ ...request, headers }, lookup), /^401/)
        }
        assert.isEmpty(asked)
        const both = { ...request.headers, digest: digestOf(body), "content-digest": contentDigestOf(body) }
        assert.strictEqual((yield* verify({ ...request, headers: both }, lookup)).form, form)
      }
    })
  )
})
