import { assert, describe, it } from "@effect/vitest"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import { packagingOf } from "../../../src/live/session/Packaging.ts"

const own: LiveOutput = {
  ...{ resolution: 720, width: 1280, height: 720, fps: 50 },
  ...{ picture: "copy", codec: "h264", sound: "copy" }
}
const small = { ...own, resolution: 240, picture: { resolution: 240 } as Exclude<LiveOutput["picture"], string> }
const plain = { container: "mpegts", lowLatency: false, remoteRunners: false } as const
const [usual, large, short] = [1, 2, 3]

describe("how a session is packaged", () => {
  it("is transport streams, unless fragments are wanted or needed", () => {
    assert.isUndefined(packagingOf(plain, usual, [own]).fragments)
    assert.deepStrictEqual(packagingOf({ ...plain, container: "fmp4" }, usual, [own, small]).fragments, {
      partSeconds: undefined
    })
    for (const codec of ["hevc", "av1"]) {
      assert.deepStrictEqual(packagingOf(plain, usual, [{ ...own, codec }]).fragments, { partSeconds: undefined })
    }
  })

  it("is in parts for low latency, unless a large delay was chosen", () => {
    const low = { ...plain, lowLatency: true }
    assert.deepStrictEqual(packagingOf(low, short, [own]).fragments, { partSeconds: 0.35 })
    assert.deepStrictEqual(packagingOf(low, usual, [own]).fragments, { partSeconds: 0.52 })
    assert.isUndefined(packagingOf(low, large, [own]).fragments)
    const rules = packagingOf(low, short, [own]).partsOf(own)
    assert.closeTo(rules?.target ?? 0, 0.38, 1e-9)
    assert.closeTo(rules?.holdBack ?? 0, 1.14, 1e-9)
    assert.isUndefined(packagingOf(plain, short, [own]).partsOf(own))
  })

  it("is transport streams where a runner may make some of the segments", () => {
    const remote = { container: "fmp4", lowLatency: true, remoteRunners: true } as const
    assert.isUndefined(packagingOf(remote, short, [own, small]).fragments)
    assert.isDefined(packagingOf(remote, short, [own]).fragments)
  })
})
