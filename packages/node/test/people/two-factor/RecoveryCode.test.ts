import { assert, describe, it } from "@effect/vitest"
import { newRecoveryCode, recoveryDigest } from "../../../src/people/two-factor/RecoveryCode.ts"

describe("a recovery code", () => {
  it("is random, in four groups of four", () => {
    const codes = Array.from({ length: 100 }, newRecoveryCode)
    assert.strictEqual(new Set(codes).size, 100)
    for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  })

  it("is the same however it is typed", () => {
    const digest = recoveryDigest("abcd-efgh-ijkl-2345")
    assert.strictEqual(digest?.length, 32)
    for (const typed of ["ABCD EFGH IJKL 2345", "abcdefghijkl2345", " abcd-efgh-ijkl-2345\n"]) {
      assert.deepStrictEqual(recoveryDigest(typed), digest)
    }
  })

  it("is no one-time code, and nothing else is one", () => {
    for (const text of [
      "",
      "123456",
      "123 456",
      "abcd-efgh-ijkl",
      "abcd-efgh-ijkl-23451",
      "abcd-efgh-ijkl-0189",
      "é".repeat(16)
    ]) {
      assert.isUndefined(recoveryDigest(text))
    }
    assert.isUndefined(recoveryDigest(`${" ".repeat(1_000_000)}abcdefghijkl2345`))
  })
})
