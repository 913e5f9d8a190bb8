import { assert, describe, it } from "@effect/vitest"
import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { StreamHealth } from "../../../src/live/session/StreamHealth.ts"

const frame = (timestamp: number, keyframe: boolean): FlvTag => ({
  kind: "video",
  codec: "avc",
  timestamp,
  keyframe,
  payload: new Uint8Array(1_000),
  sequenceHeader: false,
  enhanced: false
})

/** Frames at a rate, each at its moment, but those that are dropped. */
const sent = (rate: number, frames: number, isDropped: (n: number) => boolean = () => false) => {
  const health = new StreamHealth()
  for (let n = 0; n < frames; n++) {
    const at = Math.round((n * 1000) / rate)
    if (!isDropped(n)) health.add(frame(at, n % (rate * 2) === 0), at)
  }
  return health
}

describe("health of a stream", () => {
  it("has its rates, and the distance of keyframes", () => {
    const { bitRate, droppedFrames, frameRate, keyframeInterval, recentlyDroppedFrames } = sent(30, 300).measure(10_000)
    assert.approximately(bitRate, 240_000, 5_000)
    assert.approximately(frameRate, 30, 0.5)
    assert.strictEqual(keyframeInterval, 2)
    assert.deepStrictEqual([droppedFrames, recentlyDroppedFrames], [0, 0])
  })

  it("counts dropped frames by the gaps in timestamps", () => {
    for (const rate of [24, 25, 30, 50, 60]) {
      const isDropped = (n: number) => n === 50 || (n >= 100 && n < 107)
      assert.strictEqual(sent(rate, 300, isDropped).measure(12_500).droppedFrames, 8, `${rate} frames per second`)
    }
    // Half of the frames from the beginning on: that is the rate of the stream.
    assert.strictEqual(sent(60, 300, (n) => n % 2 === 1).measure(5_000).droppedFrames, 0)
  })

  it("forgets what was dropped a while ago, and takes no break for dropped frames", () => {
    const health = sent(30, 300, (n) => n === 200)
    assert.strictEqual(health.measure(12_000).recentlyDroppedFrames, 1)
    assert.strictEqual(health.measure(80_000).recentlyDroppedFrames, 0)
    health.add(frame(60_000, true), 60_000)
    assert.strictEqual(health.measure(60_000).droppedFrames, 1)
  })
})
