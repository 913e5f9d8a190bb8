import { assert, describe, it } from "@effect/vitest"
import { numeral } from "@kinora/domain/i18n/Format"
import { languages } from "@kinora/domain/i18n/Languages"
import { byteUnit, bytes, clock, day, moment, number, percent } from "../../src/i18n/Units.ts"

describe("units", () => {
  it("bytes are written in the largest unit that leaves a digit before the comma", () => {
    assert.deepStrictEqual([bytes(999), bytes(12_345_678), bytes(5e15)], ["999 bytes", "12.3 MB", "5,000 TB"])
  })

  it("the unit of many values is that of the largest", () => {
    assert.deepStrictEqual(byteUnit(0), { name: "byte", size: 1 })
    assert.deepStrictEqual(byteUnit(1000), { name: "kB", size: 1000 })
    assert.deepStrictEqual(byteUnit(999_999_999), { name: "MB", size: 1e6 })
    assert.deepStrictEqual(byteUnit(9e18), { name: "TB", size: 1e12 })
  })

  it("small numbers are written without a formatter as with one, in every language", () => {
    for (const [code] of languages) {
      const formatter = new Intl.NumberFormat(code)
      for (const value of [0, 7, 42, 999, 1000, 1_234_567, 0.5, -3]) {
        assert.strictEqual(numeral(value, code), formatter.format(value), code)
      }
    }
  })

  it("numbers and dates are those of the language", () => {
    assert.deepStrictEqual([number(7), number(1234), number(1234, true), percent(0.25)], ["7", "1,234", "1.2K", "25%"])
    assert.deepStrictEqual([day("2026-11-21T12:00:00Z"), day("2026-01-02T12:00:00Z")], ["Nov 21, 2026", "Jan 2, 2026"])
    assert.include(moment("2026-11-21T12:34:00Z"), "Nov 21, 2026")
  })

  it("lengths have hours where they are needed", () => {
    assert.deepStrictEqual([clock(7), clock(754), clock(3723)], ["0:07", "12:34", "1:02:03"])
  })
})
