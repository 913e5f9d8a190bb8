import { assert, describe, it } from "@effect/vitest"
import { toBoolean, toBoundedText, toInstant, toInteger, toList, toText } from "../../src/fields/Values.ts"

describe("Values", () => {
  it("reads whole numbers", () => {
    assert.strictEqual(toInteger("15"), 15)
    assert.strictEqual(toInteger(-3), -3)
    for (const input of [
      "",
      " 1",
      "1e9",
      "0x10",
      "1.0",
      "٣",
      "9007199254740992",
      1.5,
      Number.NaN,
      Infinity,
      null,
      true,
      ["1"]
    ]) {
      assert.isUndefined(toInteger(input), String(input))
    }
  })

  it("reads booleans", () => {
    assert.isTrue(toBoolean("true"))
    assert.isFalse(toBoolean(false))
    for (const input of ["yes", "TRUE", "", null, 1, ["true"]]) assert.isUndefined(toBoolean(input), String(input))
  })

  it("refuses text no database holds", () => {
    assert.strictEqual(toText("a\n😀"), "a\n😀")
    for (const input of ["a\u0000b", "\ud800", 1, ["a"], {}]) assert.isUndefined(toText(input))
  })

  it("counts characters, not code units", () => {
    assert.strictEqual(toBoundedText("😀😀😀", 3, 3), "😀😀😀")
    assert.isUndefined(toBoundedText("😀😀", 3, 120))
    assert.isUndefined(toBoundedText("a".repeat(121), 3, 120))
  })

  it("takes one value for a list of one, and no endless list", () => {
    assert.deepStrictEqual(toList("1", toInteger), [1])
    assert.deepStrictEqual(toList(["1", 2], toInteger), [1, 2])
    assert.isUndefined(toList(["1", "x"], toInteger))
    assert.isUndefined(
      toList(
        Array.from({ length: 10_000 }, () => "1"),
        toInteger
      )
    )
  })

  it("reads instants as UTC", () => {
    assert.strictEqual(toInstant("2024-02-29T12:00:00+02:00"), "2024-02-29T10:00:00.000Z")
    assert.strictEqual(toInstant("2024-02-29 12:00"), "2024-02-29T12:00:00.000Z")
    assert.strictEqual(toInstant("2024-02-29"), "2024-02-29T00:00:00.000Z")
    for (const input of [
      "2023-02-30T00:00:00Z",
      "2024-13-01",
      "2024-00-10",
      "2024-01-01T25:00:00Z",
      "yesterday",
      "12",
      "1e3",
      5,
      null,
      "+275760-09-13",
      "0000-01-01",
      "9999-12-31T23:59:59-02:00"
    ]) {
      assert.isUndefined(toInstant(input), String(input))
    }
  })
})
