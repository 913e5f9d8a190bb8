import { assert, describe, it } from "@effect/vitest"
import { parseContentRange } from "../../src/requests/ContentRange.ts"

describe("parseContentRange", () => {
  it("reads chunks and questions", () => {
    assert.deepStrictEqual(parseContentRange("bytes 0-49999/129133"), {
      _tag: "Chunk",
      start: 0,
      end: 49_999,
      total: 129_133
    })
    assert.deepStrictEqual(parseContentRange("bytes */129133"), { _tag: "Status", total: 129_133 })
    assert.deepStrictEqual(parseContentRange("bytes */*"), { _tag: "Status", total: null })
  })

  it("refuses malformed and impossible ranges", () => {
    for (const header of [
      "",
      "bytes",
      "bytes 0-9",
      "bytes 0-9/*",
      "bytes 9-0/10",
      "bytes 0-10/10",
      "bytes -1-9/10",
      "bytes 0-9/10 ",
      "items 0-9/10",
      "bytes 0-9/9999999999999999",
      "bytes 0-99999999999999999/99999999999999999"
    ]) {
      assert.isUndefined(parseContentRange(header), header)
    }
  })
})
