import { assert, describe, it } from "@effect/vitest"
import { byteUnit, bytes, clock } from "../../src/i18n/Units.ts"

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

  it("lengths have hours where they are needed", () => {
    assert.deepStrictEqual([clock(7), clock(754), clock(3723)], ["0:07", "12:34", "1:02:03"])
  })
})
