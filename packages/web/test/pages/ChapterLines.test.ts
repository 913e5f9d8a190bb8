import { assert, describe, it } from "@effect/vitest"
import { chaptersOf, linesOf } from "../../src/pages/video-edit/ChapterLines.ts"

describe("chapters as lines", () => {
  it("are read as they are written", () => {
    const chapters = [
      { timecode: 0, title: "Begin" },
      { timecode: 75, title: "Then: 10:00" },
      { timecode: 3661, title: "End" }
    ]
    assert.strictEqual(linesOf(chapters), "0:00 Begin\n1:15 Then: 10:00\n1:01:01 End")
    assert.deepStrictEqual(chaptersOf(linesOf(chapters)), chapters)
  })

  it("empty lines and spaces around count for nothing", () => {
    assert.deepStrictEqual(chaptersOf("\n  0:05   A title  \n\n"), [{ timecode: 5, title: "A title" }])
    assert.deepStrictEqual(chaptersOf(""), [])
  })

  it("the first line that is no chapter is named", () => {
    assert.strictEqual(chaptersOf("0:00 Begin\nno time"), 2)
    assert.strictEqual(chaptersOf("0:00"), 1)
    assert.strictEqual(chaptersOf("0:5 One digit"), 1)
    assert.strictEqual(chaptersOf(`0:00 ${"a".repeat(101)}`), 1)
    assert.strictEqual(chaptersOf("0:00 Begin\n\n00:00 Again"), 3)
  })
})
