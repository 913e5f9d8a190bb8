import { assert, describe, it } from "@effect/vitest"
import { initName, segmentName } from "@kinora/media/live/SegmentNames"
import { recordedVersions } from "../../../src/live/replay/RecordedVersions.ts"

const run = (number: number, counts: Readonly<Record<number, number>>): ReadonlyArray<string> =>
  Object.entries(counts).flatMap(([resolution, count]) =>
    Array.from({ length: count }, (_, at) => segmentName(`token-${number}`, Number(resolution), at))
  )

const lengths = (names: ReadonlyArray<string>) =>
  recordedVersions([...names].toReversed(), "/folder", "token").map(({ resolution, runs }) => [
    resolution,
    runs.map((paths) => paths.length)
  ])

describe("what was recorded", () => {
  it("is every version of every run, in order", () => {
    const names = [...run(1, { 720: 2, 240: 2 }), ...run(10, { 720: 1, 240: 1 }), "token-master.m3u8", "arriving-1"]
    assert.deepStrictEqual(recordedVersions(names, "/folder", "token"), [
      {
        resolution: 720,
        runs: [["/folder/token-1-720-000000.ts", "/folder/token-1-720-000001.ts"], ["/folder/token-10-720-000000.ts"]]
      },
      {
        resolution: 240,
        runs: [["/folder/token-1-240-000000.ts", "/folder/token-1-240-000001.ts"], ["/folder/token-10-240-000000.ts"]]
      }
    ])
    assert.deepStrictEqual(recordedVersions([], "/folder", "token"), [])
  })

  it("has the initialization section before the fragments of each run, and none without it", () => {
    const fragments = (number: number) =>
      Array.from({ length: 2 }, (_, at) => segmentName(`token-${number}`, 720, at, "fmp4"))
    const names = [...fragments(1), initName("token-1", 720), ...fragments(2), ...run(3, { 720: 1 })]
    assert.deepStrictEqual(recordedVersions(names, "/folder", "token"), [
      {
        resolution: 720,
        runs: [
          ["/folder/token-1-720-init.mp4", "/folder/token-1-720-000000.m4s", "/folder/token-1-720-000001.m4s"],
          ["/folder/token-3-720-000000.ts"]
        ]
      }
    ])
  })

  it("is cut where a run broke off, but not at the end", () => {
    assert.deepStrictEqual(lengths([...run(1, { 720: 9, 240: 7, 0: 8 }), ...run(2, { 720: 5, 240: 4, 0: 5 })]), [
      [720, [7, 5]],
      [240, [7, 4]],
      [0, [7, 5]]
    ])
  })

  it("is without a short run that lacks a version, and without a version that a long one lacks", () => {
    assert.deepStrictEqual(lengths([...run(1, { 720: 1 }), ...run(2, { 720: 30, 240: 30 })]), [
      [720, [30]],
      [240, [30]]
    ])
    assert.deepStrictEqual(lengths([...run(1, { 720: 20 }), ...run(2, { 720: 30, 240: 30 })]), [[720, [20, 30]]])
  })

  it("is sound alone when that is all there is", () => {
    assert.deepStrictEqual(lengths([...run(1, { 0: 3 }), ...run(2, { 0: 4 })]), [[0, [3, 4]]])
  })
})
