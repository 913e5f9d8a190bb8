import { assert, describe, it } from "@effect/vitest"
import { chunkPlace, playlistSeconds, playlistVersion } from "../../../src/runner/live/ChunkNames.ts"
import { ChunkOrder } from "../../../src/runner/live/ChunkOrder.ts"

describe("names of a runner's segments", () => {
  it("are a version and a number", () => {
    assert.deepStrictEqual(chunkPlace("0-000001.ts"), { version: 0, number: 1 })
    assert.deepStrictEqual(chunkPlace("12-000042.ts"), { version: 12, number: 42 })
    assert.strictEqual(playlistVersion("3.m3u8"), 3)
  })

  it("RUN-08: are nothing else", () => {
    const names = [
      "../../x.ts",
      "..%2f0-1.ts",
      "/0-000001.ts",
      "a/0-000001.ts",
      "0-000001.ts\n",
      "0-000001.mp4",
      "0.ts"
    ]
    for (const name of [...names, "0-1.ts.ts", "-1-000001.ts", "0-0000000001.ts", "0x1-1.ts", "100-1.ts", ""]) {
      assert.isUndefined(chunkPlace(name), name)
    }
    for (const name of ["../0.m3u8", "0.m3u", "0-0.m3u8", "master.m3u8", "0.m3u8 "]) {
      assert.isUndefined(playlistVersion(name), name)
    }
  })
})

describe("a runner's playlist", () => {
  it("gives the seconds of its segments", () => {
    const text =
      "#EXTM3U\r\n#EXT-X-VERSION:3\n#EXTINF:2.040000,\n0-000001.ts\n#EXTINF:1.960000,\nhttps://x/0-000002.ts\n"
    assert.deepStrictEqual(
      [...playlistSeconds(text)],
      [
        [1, 2.04],
        [2, 1.96]
      ]
    )
  })

  it("is not believed when it is malformed", () => {
    for (const duration of ["-1", "0", "1e9", "NaN", "99999", " 2", "2.", "0x2"]) {
      assert.strictEqual(playlistSeconds(`#EXTM3U\n#EXTINF:${duration},\n0-000001.ts\n`).size, 0, duration)
    }
    assert.strictEqual(playlistSeconds("#EXTINF:2,\n../../x.ts\n0-000001.ts").size, 0)
    assert.isAtMost(playlistSeconds("#EXTINF:2,\n0-000001.ts\n".repeat(100_000)).size, 1)
  })
})

describe("the order of segments", () => {
  it("is that of their numbers, whatever order they arrive in", () => {
    const order = new ChunkOrder<string>()
    assert.deepStrictEqual(order.add(1, "b", 0), [])
    assert.deepStrictEqual(order.add(0, "a", 0), ["a", "b"])
    assert.deepStrictEqual(order.add(3, "d", 0), [])
    assert.deepStrictEqual(order.add(2, "c", 0), ["c", "d"])
  })

  it("begins where the runner begins to count", () => {
    assert.deepStrictEqual(new ChunkOrder<string>().add(1, "a", 1), ["a"])
    assert.deepStrictEqual(new ChunkOrder<string>().add(7, "a", undefined), ["a"])
  })

  it("RUN-08: leaves out what came before, and gives up what does not come", () => {
    const order = new ChunkOrder<number>()
    assert.deepStrictEqual(order.add(0, 0, 0), [0])
    assert.isTrue(order.has(0))
    assert.deepStrictEqual(order.add(0, 9, 0), [])
    const taken = [2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((number) => order.add(number, number, 0))
    assert.deepStrictEqual(taken, [2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert.isTrue(order.has(1))
    order.add(12, 12, 0)
    order.add(14, 14, 0)
    assert.deepStrictEqual(order.rest(), [12, 14])
    assert.isTrue(order.has(13))
  })

  it("RUN-08: takes 100,000 segments in little memory", () => {
    const order = new ChunkOrder<number>()
    let taken = 0
    for (let number = 0; number < 200_000; number += 2) taken += order.add(number, number, 0).length
    assert.isAtLeast(taken, 99_000)
  })
})
