import { assert, describe, it } from "vitest"
import { windowOf } from "../../src/ui/Rows.ts"

describe("rows near the window", () => {
  const count = 10_000
  const height = 50
  for (const [where, top] of [
    ["the beginning", 100],
    ["the middle", -250_000],
    ["the end", -(count * height) + 800]
  ] as const) {
    it(`at ${where} fill it, and leave the height of the whole`, () => {
      const { above, below, from, to } = windowOf(count, height, top, 900)
      assert.strictEqual(above + below + (to - from) * height, count * height)
      assert.isAtMost(to - from, 60)
      assert.isAtMost(top + above, 0 + Math.max(0, top))
      assert.isTrue(to === count || top + above + (to - from) * height >= 900)
    })
  }
  it("are none of no rows", () => {
    assert.deepStrictEqual(windowOf(0, 50, 0, 900), { from: 0, to: 0, above: 0, below: 0 })
  })
})
