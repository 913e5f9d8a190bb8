import { assert, describe, it } from "@effect/vitest"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { Result } from "effect"
import * as fc from "fast-check"
import { decodeBase58, encodeBase58 } from "../../src/signatures/Base58.ts"
import { fromMultibase, fromPem, KeyRefused, toMultibase } from "../../src/signatures/PublicKeys.ts"
import { verifies } from "../../src/signatures/SignatureScheme.ts"
import { pairs } from "./support/Signing.ts"

const rsa = pairs.rsa.verification.key
const ed25519 = pairs.ed25519.verification.key
const pem = (key: KeyObject, type: "spki" | "pkcs1" = "spki") => key.export({ format: "pem", type }).toString()

const armour = (der: Buffer, label = "PUBLIC KEY") =>
  `-----BEGIN ${label}-----\n${der.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`

/** An RSA key of any modulus and exponent, in PKCS#1. */
const rsaOf = (modulus: Buffer, exponent: Buffer): string => {
  const length = (of: number) => (of < 128 ? Buffer.from([of]) : Buffer.from([0x82, of >> 8, of & 0xff]))
  const integer = (value: Buffer) => {
    const positive = (value[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), value]) : value
    return Buffer.concat([Buffer.from([2]), length(positive.length), positive])
  }
  const inner = Buffer.concat([integer(modulus), integer(exponent)])
  return armour(Buffer.concat([Buffer.from([0x30]), length(inner.length), inner]), "RSA PUBLIC KEY")
}

const modulus = Buffer.from(String(rsa.export({ format: "jwk" }).n), "base64url")
const wide = (bits: number) => Buffer.alloc(bits / 8, 0xc5)
const f4 = Buffer.from([1, 0, 1])

const refused = (result: Result.Result<KeyObject, KeyRefused>, message: string) => {
  assert.isTrue(Result.isFailure(result), message)
  if (Result.isFailure(result)) assert.instanceOf(result.failure, KeyRefused)
}

describe("public keys", () => {
  it("are read from SPKI and PKCS#1 in PEM, however it is broken into lines", () => {
    for (const text of [
      pem(rsa),
      pem(rsa, "pkcs1"),
      pem(rsa).replaceAll("\n", "\r\n"),
      `\n ${pem(rsa)} \n`,
      rsaOf(modulus, f4)
    ])
      assert.isTrue(Result.getOrThrow(fromPem(text)).equals(rsa))
    assert.isTrue(Result.getOrThrow(fromPem(pem(rsa).replaceAll("\n", ""))).equals(rsa))
    assert.isTrue(Result.getOrThrow(fromPem(pem(ed25519))).equals(ed25519))
    for (const bits of [2_048, 3_072, 4_096, 8_192])
      assert.isTrue(Result.isSuccess(fromPem(rsaOf(wide(bits), f4))), `${bits}`)
  })

  it("are refused beyond the limits of size, exponent and kind (AP-16)", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
    const other = (type: "P-256" | "ed448" | "x25519" | "pss") =>
      type === "P-256"
        ? generateKeyPairSync("ec", { namedCurve: type }).publicKey
        : type === "pss"
          ? generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }).publicKey
          : type === "ed448"
            ? generateKeyPairSync("ed448").publicKey
            : generateKeyPairSync("x25519").publicKey
    for (const [what, text] of [
      ["512 bits", rsaOf(wide(512), f4)],
      ["1024 bits", rsaOf(wide(1_024), f4)],
      ["2040 bits", rsaOf(wide(2_040), f4)],
      ["8200 bits", rsaOf(wide(8_200), f4)],
      ["65536 bits", rsaOf(wide(65_536), f4)],
      ["exponent 1", rsaOf(modulus, Buffer.from([1]))],
      ["even exponent", rsaOf(modulus, Buffer.from([1, 0, 0]))],
      ["long exponent", rsaOf(modulus, wide(2_040))],
      ["no exponent", rsaOf(modulus, Buffer.from([0]))],
      ["P-256", pem(other("P-256"))],
      ["Ed448", pem(other("ed448"))],
      ["X25519", pem(other("x25519"))],
      ["RSA-PSS only", pem(other("pss"))],
      ["private key", privateKey.export({ format: "pem", type: "pkcs8" }).toString()],
      ["private key, named public", armour(privateKey.export({ format: "der", type: "pkcs8" }))],
      ["certificate", armour(Buffer.alloc(100), "CERTIFICATE")],
      ["PEM bomb", armour(Buffer.alloc(10_000_000))],
      ["blanks", `-----BEGIN PUBLIC KEY-----${" ".repeat(3_900)}-----END PUBLIC KEY-----`],
      ["two keys", pem(rsa) + pem(ed25519)],
      ["text around", `x${pem(rsa)}`],
      ["other end", pem(rsa).replace("END PUBLIC", "END RSA PUBLIC")],
      ["nothing", ""]
    ] as const)
      refused(fromPem(text), what)
  })

  it("verify in bounded time, whatever key passes (AP-16)", () => {
    const key = Result.getOrThrow(fromPem(rsaOf(wide(8_192), Buffer.from([0xff, 0xff, 0xff, 0xff]))))
    // A key without bounds takes seconds each time, and so longer than the test may.
    for (let at = 0; at < 100; at++)
      assert.isFalse(verifies("rsa-v1_5-sha256", "text", key, new Uint8Array(1_024).fill(3)))
  })

  it("are read from Multikeys (FEP-521a) and written as such", () => {
    // The example of the did:key method.
    const known = Result.getOrThrow(fromMultibase("z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"))
    assert.strictEqual(toMultibase(known), "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK")
    for (const key of [rsa, ed25519]) assert.isTrue(Result.getOrThrow(fromMultibase(toMultibase(key))).equals(key))
    assert.match(toMultibase(ed25519), /^z6Mk[\w]{44}$/)
    assert.match(toMultibase(rsa), /^z4MX/)
    const ofBytes = (...bytes: ReadonlyArray<number>) => `z${encodeBase58(Uint8Array.from(bytes))}`
    const full = Array.from({ length: 32 }, (_, at) => at)
    for (const [what, text] of [
      ["no base", toMultibase(ed25519).slice(1)],
      ["base64url", `u${Buffer.from([0xed, 1, ...full]).toString("base64url")}`],
      ["31 bytes", ofBytes(0xed, 1, ...full.slice(1))],
      ["33 bytes", ofBytes(0xed, 1, ...full, 0)],
      ["secp256k1", ofBytes(0xe7, 1, 2, ...full)],
      ["X25519", ofBytes(0xec, 1, ...full)],
      ["no RSA", ofBytes(0x85, 0x24, ...full)],
      ["wrong character", `${toMultibase(ed25519)}0`],
      ["empty", "z"],
      ["nothing", ""],
      ["long", `z${"2".repeat(100_000)}`]
    ] as const)
      refused(fromMultibase(text), what)
  })

  it("never fail otherwise, whatever the text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((it) => `z${it}`),
      fc.base64String().map((it) => armour(Buffer.from(it, "base64")))
    )
    fc.assert(
      fc.property(texts, (text) => {
        refused(fromPem(text), text)
        refused(fromMultibase(text), text)
      }),
      { numRuns: 300 }
    )
  })

  it("are in base58 what they were before", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) =>
        assert.deepStrictEqual(decodeBase58(encodeBase58(bytes)), bytes)
      )
    )
    // Of the drafts of base58 (draft-msporny-base58).
    assert.strictEqual(encodeBase58(Buffer.from("Hello World!")), "2NEpo7TZRRrLZSi2U")
    assert.strictEqual(encodeBase58(Buffer.from("0000287fb4cd", "hex")), "11233QC4")
    assert.isUndefined(decodeBase58("0OIl"))
  })
})
