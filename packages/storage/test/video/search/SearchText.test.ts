import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { searchParts } from "../../../src/video/search/SearchText.ts"

/** Texts of any code units, lone surrogates among them. */
const codes = fc
  .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

const written = (text: string) =>
  searchParts(text).map(({ excluded, phrase, text: part }) => `${excluded ? "-" : "+"}${phrase ? `[${part}]` : part}`)

describe("searchParts", () => {
  it("reads words, phrases and what is excluded", () => {
    assert.deepStrictEqual(written(`cats "green tea" -dogs -"hot dogs"`), [
      "+cats",
      "+[green tea]",
      "-dogs",
      "-[hot dogs]"
    ])
    assert.deepStrictEqual(written("“bon appétit” well-known"), ["+[bon appétit]", "+well-known"])
    assert.deepStrictEqual(written(`half "open`), ["+half", `+"open`])
    assert.deepStrictEqual(written(` ""  `), [])
    assert.deepStrictEqual(written("a\0b"), ["+a", "+b"])
  })

  it("gives few parts of bounded length without lone surrogates, whatever is written", () => {
    fc.assert(
      fc.property(codes, (text) => {
        const parts = searchParts(text)
        assert.isAtMost(parts.length, 12)
        for (const part of parts) {
          assert.isTrue(part.text.isWellFormed() && part.text.trim() !== "" && part.text.length <= 240)
          assert.notInclude(part.text, "\0")
        }
      })
    )
    assert.isAtMost(searchParts(`-"`.repeat(50_000)).length, 12)
    assert.isAtMost(searchParts(`${`"`.repeat(50_000)} `).length, 12)
  })
})
