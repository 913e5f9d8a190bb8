import { assert, describe, it } from "@effect/vitest"
import { createPublicKey, generateKeyPairSync, sign } from "node:crypto"
import { Effect, Result } from "effect"
import { contentDigestOf } from "../../src/signatures/Digest.ts"
import { signatureBase } from "../../src/signatures/MessageSignature.ts"
import { fromPem } from "../../src/signatures/PublicKeys.ts"
import { type SignatureScheme, signText, verifies } from "../../src/signatures/SignatureScheme.ts"
import type { SignedRequest } from "../../src/signatures/SignedRequest.ts"
import { isInnerList, parseDictionary } from "../../src/signatures/StructuredFields.ts"
import {
  actor,
  bytes,
  dateHeader,
  host,
  keyId,
  keysOf,
  now,
  origin,
  pairs,
  refusal,
  signedBy,
  verify,
  without
} from "./support/Signing.ts"

const body = bytes('{"type":"Like"}')
const seconds = now / 1_000

const baseOf = (input: string, request: Parameters<typeof signatureBase>[1]): string => {
  const covered = parseDictionary(`it=${input}`)?.get("it")
  assert.isTrue(covered !== undefined && isInnerList(covered), input)
  return covered !== undefined && isInnerList(covered) ? (signatureBase(covered, request) ?? "") : ""
}

const unsigned: SignedRequest = {
  method: "POST",
  target: "/inbox",
  headers: {
    host,
    date: dateHeader(),
    "content-digest": contentDigestOf(body),
    "content-type": "application/activity+json"
  },
  body,
  host,
  origin
}

const components = '("@method" "@target-uri" "content-digest")'
const parameters = `;created=${seconds};keyid="${keyId}"`

/** A delivery with these members of `Signature-Input`, each signed truly where it can be. */
const delivery = (
  inputs: Readonly<Record<string, string>>,
  of: SignedRequest = unsigned,
  key: "rsa" | "ed25519" = "rsa"
) => {
  const signatures = Object.entries(inputs).map(([label, input]) => {
    const text = Buffer.from(baseOf(input, of), "latin1")
    const signature = sign(key === "rsa" ? "sha256" : null, text, pairs[key].signing.privateKey)
    return `${label}=:${signature.toString("base64")}:`
  })
  const input = Object.entries(inputs).map(([label, it]) => `${label}=${it}`)
  return { ...of, headers: { ...of.headers, "signature-input": input.join(", "), signature: signatures.join(", ") } }
}

const get: SignedRequest = { ...unsigned, method: "GET", body: undefined, headers: { host, date: dateHeader() } }

/** The request and keys of RFC 9421, appendix B. */
const example = {
  method: "POST",
  target: "/foo?param=Value&Pet=dog",
  host: "example.com",
  origin: "https://example.com",
  headers: {
    host: "example.com",
    date: "Tue, 20 Apr 2021 02:07:55 GMT",
    "content-type": "application/json",
    "content-digest":
      "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
    "content-length": "18"
  }
}
const exampleKeys = {
  "rsa-pss-sha512": `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`,
  ed25519: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----`
}
const vectors: ReadonlyArray<readonly [section: string, keyof typeof exampleKeys, input: string, signature: string]> = [
  [
    "B.2.1",
    "rsa-pss-sha512",
    '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
    "d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q=="
  ],
  [
    "B.2.3",
    "rsa-pss-sha512",
    '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
    "bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA=="
  ],
  [
    "B.2.6",
    "ed25519",
    '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
  ]
]

describe("RFC 9421", () => {
  for (const [section, scheme, input, signature] of vectors)
    it(`verifies ${section} of its appendix`, () => {
      const key = Result.getOrThrow(fromPem(exampleKeys[scheme]))
      const base = baseOf(input, example)
      assert.isTrue(verifies(scheme, base, key, Buffer.from(signature, "base64")))
      assert.isFalse(verifies(scheme, `${base} `, key, Buffer.from(signature, "base64")))
    })

  it.effect("verifies what we sign, by RSA and Ed25519, with and without a body", () =>
    Effect.gen(function* () {
      for (const { signing, verification } of Object.values(pairs))
        for (const options of [{ body }, { body: bytes("") }, {}, { target: "/accounts/bob/outbox?page=1&x=%20" }]) {
          const request = yield* signedBy(signing, "rfc9421", options)
          assert.deepInclude(yield* verify(request, verification), { keyId, actor, form: "rfc9421" })
        }
      const { headers } = yield* signedBy(pairs.ed25519.signing, "rfc9421", { body })
      assert.strictEqual(
        headers["signature-input"],
        `sig1=("@method" "@target-uri" "@authority" "date" "content-digest");created=${seconds};keyid="${keyId}";alg="ed25519"`
      )
      assert.match(headers["content-digest"] ?? "", /^sha-256=:[\w+/]{43}=:$/)
    })
  )

  it.effect("reads other ways to name the target, and the algorithms of the registry", () =>
    Effect.gen(function* () {
      for (const [input, request] of [
        ['("@method" "@authority" "@request-target")', { ...get, target: "/outbox?page=1" }],
        ['("@method" "host" "@path" "@query")', { ...get, target: "/outbox?page=1" }],
        ['("@method" "@authority" "@path")', get],
        ['("@method" "@scheme" "@authority" "@path" "content-digest" "content-type")', unsigned],
        ['(  "@method"   "@target-uri" "content-digest" )', unsigned]
      ] as const) {
        const signed = delivery({ sig: `${input}${parameters}` }, request)
        assert.strictEqual((yield* verify(signed)).actor, actor, input)
        assert.match(yield* refusal({ ...signed, target: `${request.target}x` }), /^403/)
      }
      const dated = delivery({ sig: `("@method" "@target-uri" "date" "content-digest");keyid="${keyId}"` })
      assert.strictEqual((yield* verify(dated)).actor, actor)
      const pss = delivery({ sig: `${components}${parameters};alg="rsa-v1_5-sha256"` })
      assert.strictEqual((yield* verify(pss)).actor, actor)
    })
  )

  it.effect("demands what a signature has to cover (AP-08, AP-11)", () =>
    Effect.gen(function* () {
      const { asked, lookup } = keysOf(pairs.rsa.verification)
      for (const [covered, request = unsigned] of [
        ["()"],
        ['("@target-uri" "content-digest")'],
        ['("@method" "content-digest")'],
        ['("@method" "@target-uri")'],
        ['("@method" "@path" "content-digest")'],
        ['("@method" "@authority" "content-digest")'],
        ['("@method" "@authority" "@path")', { ...get, target: "/outbox?page=1" }]
      ] as ReadonlyArray<readonly [string, SignedRequest?]>)
        assert.match(
          yield* refusal(delivery({ sig: `${covered}${parameters}` }, request), lookup),
          /^401: .* to be signed$/,
          covered
        )
      const bare = delivery({ sig: `${components};keyid="${keyId}"` })
      assert.strictEqual(yield* refusal(bare, lookup), "401: neither created nor date is signed")
      const undigested = { ...delivery({ sig: `${components}${parameters}` }) }
      const headers = without(undigested.headers, "content-digest")
      assert.match(yield* refusal({ ...undigested, headers }, lookup), /^401: a signed component/)
      assert.isEmpty(asked)
    })
  )

  it.effect("holds created, expires and date to the second", () =>
    Effect.gen(function* () {
      const at = (created: number, more = "") =>
        delivery({ sig: `${components};created=${created}${more};keyid="${keyId}"` })
      for (const off of [-1_800, 1_800]) assert.strictEqual((yield* verify(at(seconds + off))).actor, actor)
      for (const off of [-1_801, 1_801]) assert.match(yield* refusal(at(seconds + off)), /created is not of now/)
      assert.strictEqual((yield* verify(at(seconds, `;expires=${seconds}`))).actor, actor)
      assert.match(yield* refusal(at(seconds - 10, `;expires=${seconds - 1}`)), /has expired/)
      assert.match(yield* refusal(at(seconds, ';expires="never"')), /has expired/)
      assert.match(yield* refusal(delivery({ sig: `${components};created="${seconds}";keyid="${keyId}"` })), /created/)
      const late = { ...unsigned, headers: { ...unsigned.headers, date: dateHeader(-1_801) } }
      const covered = `("@method" "@target-uri" "date" "content-digest")${parameters}`
      assert.match(yield* refusal(delivery({ sig: covered }, late)), /date is not of now/)
    })
  )

  it.effect("believes no algorithm over the key's type, and knows none of others (AP-11)", () =>
    Effect.gen(function* () {
      const named = (alg: string, key: "rsa" | "ed25519" = "rsa") =>
        delivery({ sig: `${components}${parameters};alg=${alg}` }, unsigned, key)
      for (const alg of ['"hmac-sha256"', '"ecdsa-p256-sha256"', '"rsa-sha256"', '""', '"none"', "ed25519", "1"])
        assert.strictEqual(yield* refusal(named(alg)), "401: alg is not known", alg)
      assert.match(yield* refusal(named('"ed25519"')), /^403/)
      assert.match(yield* refusal(named('"rsa-pss-sha512"')), /^403/)
      assert.match(yield* refusal(named('"rsa-v1_5-sha256"', "ed25519"), pairs.ed25519.verification), /^403/)
      assert.strictEqual((yield* verify(named('"ed25519"', "ed25519"), pairs.ed25519.verification)).actor, actor)
      const curve = { ...pairs.rsa.verification, key: generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey }
      assert.match(yield* refusal(named('"rsa-v1_5-sha256"'), curve), /^403/)
    })
  )

  it.effect("refuses malformed and ambiguous fields (AP-11)", () =>
    Effect.gen(function* () {
      const { asked, lookup } = keysOf(pairs.rsa.verification)
      const good = delivery({ sig: `${components}${parameters}` })
      const { "signature-input": input = "", signature = "" } = good.headers as Record<string, string>
      const refused = (headers: Readonly<Record<string, string | undefined>>) =>
        refusal({ ...good, headers: { ...good.headers, ...headers } }, lookup)
      for (const headers of [
        { "signature-input": `${input}, ${input}` },
        { signature: `${signature}, ${signature}` },
        { "signature-input": input.replace("sig=", "Sig=") },
        { "signature-input": input.replace("sig=", "other=") },
        { "signature-input": `${input}, other=${components}${parameters}` },
        { signature: `${signature}, other=:AAAA:` },
        { "signature-input": input.replace('"@method"', '"@method" "@method"') },
        { "signature-input": input.replace('"@method"', '"@method";req') },
        { "signature-input": input.replace('"@method"', '"@method" "@status"') },
        { "signature-input": input.replace('"@method"', '"@method" "@unknown"') },
        { "signature-input": input.replace('"@method"', '"@method" "__proto__"') },
        { "signature-input": input.replace('"@method"', '"@METHOD"') },
        { "signature-input": input.replace('" "', '""') },
        { "signature-input": `${input};created=${seconds}` },
        { "signature-input": input.replace(`created=${seconds}`, `created=${seconds}.0`) },
        { "signature-input": input.replace(keyId, "") },
        { "signature-input": input.replace(keyId, "test-key") },
        { "signature-input": `${input},` },
        { "signature-input": "sig" },
        { "signature-input": `sig=${"(".repeat(5_000)}` },
        { "signature-input": `sig=(${'"a" '.repeat(5_000)})` },
        {
          "signature-input": `sig=("@method" "@target-uri" "content-digest" ${Array.from({ length: 80 }, (_, at) => `"x-${at}"`).join(" ")})${parameters}`
        },
        { signature: "sig=AAAA" },
        { signature: "sig=::" },
        { signature: "sig=(:AAAA:)" },
        { signature: signature.replace("sig=:", "sig=:=") },
        { signature: `${signature} x` },
        { signature: undefined }
      ])
        assert.match(
          yield* refused(headers),
          headers.signature === "sig=::" ? /^403/ : /^401: /,
          JSON.stringify(headers)
        )
      assert.lengthOf(asked, 2)
    })
  )

  it.effect("verifies every signature meant for us, by one actor, and passes over other applications' (AP-12)", () =>
    Effect.gen(function* () {
      const one = `${components}${parameters}`
      const two = `("@method" "@target-uri" "date" "content-digest")${parameters}`
      assert.strictEqual((yield* verify(delivery({ one, two }))).actor, actor)
      const forged = delivery({ one, two })
      const signature = (forged.headers["signature"] ?? "").replace(/two=:.{8}/, "two=:AAAAAAAA")
      assert.match(yield* refusal({ ...forged, headers: { ...forged.headers, signature } }), /^403/)
      const other = "https://peer.example/users/mallory"
      const foreign = delivery({ one, two: two.replace(keyId, other) })
      const lookup = (id: string) =>
        Effect.succeed(id === keyId ? pairs.rsa.verification : { ...pairs.rsa.verification, id: other, owner: other })
      assert.strictEqual(yield* refusal(foreign, lookup), "403: the signatures are of different actors")
      assert.strictEqual(yield* refusal(delivery({ one, two, three: one })), "401: too many signatures")
      const tagged = `("@authority");keyid="proxy";tag="cdn"`
      const passed = keysOf(pairs.rsa.verification)
      assert.strictEqual((yield* verify(delivery({ cdn: tagged, one }), passed.lookup)).actor, actor)
      assert.deepStrictEqual(passed.asked, [[keyId, false]])
      assert.match(yield* refusal(delivery({ cdn: tagged })), /^401: no signature is meant/)
      assert.strictEqual((yield* verify(delivery({ one: `${one};tag="activitypub"` }))).actor, actor)
    })
  )

  it("signs by PKCS#1 v1.5 and verifies PSS", () => {
    const schemes: ReadonlyArray<SignatureScheme> = ["rsa-v1_5-sha256", "rsa-v1_5-sha512", "rsa-pss-sha512", "ed25519"]
    const rsa = pairs.rsa.verification.key
    for (const scheme of schemes)
      for (const signature of [new Uint8Array(0), new Uint8Array(64), new Uint8Array(256).fill(255)])
        assert.isFalse(verifies(scheme, "", scheme === "ed25519" ? pairs.ed25519.verification.key : rsa, signature))
    return new Promise<void>((done) => {
      signText("text", pairs.rsa.signing.privateKey, "rsa", (failure, signature) => {
        assert.isNull(failure)
        const publicKey = createPublicKey(pairs.rsa.signing.privateKey)
        assert.isTrue(verifies("rsa-v1_5-sha256", "text", publicKey, Buffer.from(signature, "base64")))
        done()
      })
    })
  })
})
