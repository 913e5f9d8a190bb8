import { assert, describe, it } from "@effect/vitest"
import { corrections, distance } from "../../../src/video/search/Spelling.ts"

describe("Spelling", () => {
  it("counts letters that are missing, too many, wrong or swapped", () => {
    for (const [from, to, steps] of [
      ["cinema", "cinema", 0],
      ["cinma", "cinema", 1],
      ["cinnema", "cinema", 1],
      ["kinema", "cinema", 1],
      ["cinmea", "cinema", 1],
      ["", "abc", 3],
      ["kitten", "sitting", 3]
    ] as const) {
      assert.deepStrictEqual([from, to, distance(from, to)], [from, to, steps])
      assert.strictEqual(distance(to, from), steps)
    }
  })

  it("offers the nearest words, those in use the most first, and none for short ones", () => {
    const known = [
      { word: "garden", uses: 5 },
      { word: "garten", uses: 90 },
      { word: "gardens", uses: 900 },
      { word: "guardian", uses: 9000 }
    ]
    assert.deepStrictEqual(corrections("garfen", known), ["garten", "garden"])
    assert.deepStrictEqual(corrections("gradens", known), ["gardens"])
    assert.deepStrictEqual(corrections("cat", [{ word: "bat", uses: 1 }]), [])
    assert.deepStrictEqual(corrections("garden", [{ word: "garden", uses: 1 }]), [])
  })
})
