import { assert, describe, it } from "@effect/vitest"
import { markedChapters } from "../../../src/live/replay/MarkedChapters.ts"

const mark = (run: number, seconds: number, title: string) => ({ run, offset: seconds * 1000, title })
const runs = [
  { number: 1, seconds: 60.4 },
  { number: 3, seconds: 30 },
  { number: 4, seconds: 10 }
]

describe("chapters at marks", () => {
  it("are in the seconds of the replay, across runs", () => {
    const marks = [mark(1, 0, "Begin"), mark(1, 12.9, "One"), mark(3, 10, "Two"), mark(4, 5, "Three")]
    assert.deepStrictEqual(markedChapters(marks, runs), [
      { timecode: 0, title: "Begin" },
      { timecode: 12, title: "One" },
      { timecode: 70, title: "Two" },
      { timecode: 95, title: "Three" }
    ])
  })

  it("are at the end of a run while nobody publishes, and at the next one where a run was left out", () => {
    const marks = [mark(1, 500, "Away"), mark(2, 3, "Left out"), mark(4, 500, "Over")]
    assert.deepStrictEqual(markedChapters(marks, runs), [
      { timecode: 60, title: "Away" },
      { timecode: 61, title: "Left out" },
      { timecode: 100, title: "Over" }
    ])
    assert.deepStrictEqual(markedChapters([mark(1, 99, "Over")], [{ number: 1, seconds: 20 }]), [])
  })

  it("have a second of their own", () => {
    const marks = [mark(1, 5.1, "One"), mark(1, 5.2, "Two"), mark(1, 5.9, "Three"), mark(1, 6.1, "Four")]
    assert.deepStrictEqual(
      markedChapters(marks, runs).map(({ timecode }) => timecode),
      [5, 6, 7, 8]
    )
    assert.deepStrictEqual(markedChapters([], runs), [])
    assert.deepStrictEqual(markedChapters(marks, []), [])
  })
})
