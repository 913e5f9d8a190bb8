import { assert, describe, it } from "@effect/vitest"
import { Timeline } from "../../src/flv/Timeline.ts"

const times = (raws: ReadonlyArray<number>) => {
  const timeline = new Timeline()
  return raws.map((raw) => timeline.frame("video", raw))
}

describe("Timeline", () => {
  it("goes on where 32 bits wrap around", () => {
    assert.deepStrictEqual(times([0xff_ff_ff_f0, 8, 48]), [0xff_ff_ff_f0, 0x1_00_00_00_08, 0x1_00_00_00_30])
  })

  it("lets audio be a little behind video, and neither go back", () => {
    const timeline = new Timeline()
    assert.strictEqual(timeline.frame("video", 1_000), 1_000)
    assert.strictEqual(timeline.frame("audio", 960), 960)
    assert.strictEqual(timeline.frame("video", 990), 1_000)
    assert.strictEqual(timeline.frame("video", 1_040), 1_040)
    assert.strictEqual(timeline.now, 1_040)
  })

  it("goes on where the publisher's clock jumps", () => {
    assert.deepStrictEqual(times([91_000, 91_040, 0, 40]), [91_000, 91_040, 91_040, 91_080])
    assert.deepStrictEqual(times([1_000, 4_000_000, 4_000_040]), [1_000, 1_000, 1_040])
    assert.deepStrictEqual(times([1_000, 21_000]), [1_000, 21_000])
  })
})
