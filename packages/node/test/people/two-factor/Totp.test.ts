import { assert, describe, it } from "@effect/vitest"
import * as OTPAuth from "otpauth"
import { randomBytes } from "node:crypto"
import { codeOf, fromBase32, keyUri, matchingStep, stepAt, toBase32 } from "../../../src/people/two-factor/Totp.ts"

/** The secret of the test values of RFC 4226 and RFC 6238. */
const secret = Buffer.from("12345678901234567890")

describe("one-time codes", () => {
  it("are those of RFC 4226, appendix D", () => {
    const expected = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ")
    assert.deepStrictEqual(
      expected.map((_, counter) => codeOf(secret, counter)),
      expected
    )
  })

  it("are those of RFC 6238, appendix B", () => {
    const expected = [
      [59, "94287082"],
      [1111111109, "07081804"],
      [1111111111, "14050471"],
      [1234567890, "89005924"],
      [2000000000, "69279037"],
      [20000000000, "65353130"]
    ] as const
    for (const [seconds, code] of expected) assert.strictEqual(codeOf(secret, stepAt(seconds * 1000), 8), code)
  })

  it("are accepted of the present step and of one beside it", () => {
    const now = 1_800_000_010_000
    const present = stepAt(now)
    for (const distance of [-10, -2, -1, 0, 1, 2, 10]) {
      const expected = Math.abs(distance) <= 1 ? present + distance : undefined
      assert.strictEqual(matchingStep(secret, codeOf(secret, present + distance), now), expected, String(distance))
    }
  })

  it("are six digits, in groups or not, and nothing else", () => {
    const now = 1_800_000_010_000
    const code = codeOf(secret, stepAt(now))
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`
    for (const good of [code, grouped, ` ${code} `, grouped.replace(" ", "-")]) {
      assert.strictEqual(matchingStep(secret, good, now), stepAt(now), good)
    }
    const fullWidth = [...code].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join("")
    const bad = [
      "",
      code.slice(1),
      `0${code}`,
      `${code}0`,
      fullWidth,
      "12345a",
      "-00001",
      "1e5",
      " ".repeat(1000) + code
    ]
    for (const one of bad) assert.isUndefined(matchingStep(secret, one, now), one)
  })

  it("are those of an authenticator that reads the address", () => {
    for (const account of ["ada", "ada lovelace: 100%", "ådá&secret=AAAA#?"]) {
      const bytes = randomBytes(20)
      const uri = keyUri("Films & more: the best?", account, toBase32(bytes))
      const authenticator = OTPAuth.URI.parse(uri)
      assert.instanceOf(authenticator, OTPAuth.TOTP)
      const totp = authenticator as OTPAuth.TOTP
      assert.strictEqual(totp.issuer, "Films & more  the best?")
      assert.strictEqual(totp.label, account.replaceAll(":", " "))
      assert.deepStrictEqual([totp.algorithm, totp.digits, totp.period], ["SHA1", 6, 30])
      for (const now of [0, 59_000, 1_800_000_000_000]) {
        assert.strictEqual(totp.generate({ timestamp: now }), codeOf(bytes, stepAt(now)))
      }
    }
  })

  it("have secrets in base 32 (RFC 4648, 10)", () => {
    const vectors = {
      "": "",
      f: "MY",
      fo: "MZXQ",
      foo: "MZXW6",
      foob: "MZXW6YQ",
      fooba: "MZXW6YTB",
      foobar: "MZXW6YTBOI"
    }
    for (const [text, encoded] of Object.entries(vectors)) {
      assert.strictEqual(toBase32(Buffer.from(text)), encoded)
      assert.strictEqual(Buffer.from(fromBase32(encoded)).toString(), text)
    }
    for (let length = 0; length < 40; length++) {
      const bytes = randomBytes(length)
      assert.strictEqual(Buffer.from(fromBase32(toBase32(bytes))).toString("hex"), bytes.toString("hex"))
    }
  })
})
