import { assert, describe, it } from "@effect/vitest"
import { parseRange } from "../../src/requests/Range.ts"

const parts = (header: string, size = 1000) => {
  const range = parseRange(header, size)
  return range._tag === "Parts" ? range.parts.map(({ end, start }) => [start, end]) : range._tag
}

describe("parseRange", () => {
  it("reads single, open and suffix ranges", () => {
    assert.deepStrictEqual(parts("bytes=0-99"), [[0, 99]])
    assert.deepStrictEqual(parts("bytes=900-"), [[900, 999]])
    assert.deepStrictEqual(parts("bytes=-100"), [[900, 999]])
    assert.deepStrictEqual(parts("bytes=-5000"), [[0, 999]])
    assert.deepStrictEqual(parts("bytes=990-2000"), [[990, 999]])
  })

  it("reads several, leaving out those beyond the file", () => {
    assert.deepStrictEqual(parts("bytes=0-9, 20-29 ,2000-"), [
      [0, 9],
      [20, 29]
    ])
  })

  it("says when no part is within the file", () => {
    for (const header of ["bytes=1000-", "bytes=-0", "bytes=5000-6000,7000-"])
      assert.strictEqual(parts(header), "NotSatisfiable", header)
    assert.strictEqual(parts("bytes=0-", 0), "NotSatisfiable")
  })

  it("answers the whole file to what is malformed, wasteful or of another unit", () => {
    const many = `bytes=${Array.from({ length: 17 }, (_, i) => `${i}-${i}`).join(",")}`
    for (const header of [
      "bytes=",
      "bytes=-",
      "bytes=9-0",
      "bytes=a-b",
      "bytes=0-9,x",
      "items=0-9",
      "0-9",
      many,
      "bytes=0-,0-,0-"
    ]) {
      assert.strictEqual(parts(header), "Whole", header)
    }
    assert.deepStrictEqual(parseRange(undefined, 1000), { _tag: "Whole" })
  })
})
