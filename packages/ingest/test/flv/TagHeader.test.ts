import { assert, describe, it } from "@effect/vitest"
import type { Codec } from "../../src/flv/Codec.ts"
import { readAudioHeader, readVideoHeader } from "../../src/flv/TagHeader.ts"
import { randomOf } from "../support/Random.ts"

const bytes = (...parts: ReadonlyArray<number | string>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))))
const header = (codec: Codec, keyframe: boolean, sequenceHeader: boolean, enhanced: boolean) => ({
  ...{ codec, keyframe, sequenceHeader, enhanced }
})

describe("headers of tags", () => {
  it("reads classic video", () => {
    assert.deepStrictEqual(readVideoHeader(bytes(0x17, 0, 0, 0, 0)), header("avc", false, true, false))
    assert.deepStrictEqual(readVideoHeader(bytes(0x17, 1, 0, 0, 0)), header("avc", true, false, false))
    assert.deepStrictEqual(readVideoHeader(bytes(0x27, 1, 0, 0, 0)), header("avc", false, false, false))
    assert.deepStrictEqual(readVideoHeader(bytes(0x17, 2, 0, 0, 0)), header("avc", false, false, false))
    assert.deepStrictEqual(readVideoHeader(bytes(0x12, 1)), header("h263", true, false, false))
    assert.strictEqual(readVideoHeader(bytes(0x17, 1)), "truncated")
    assert.strictEqual(readVideoHeader(bytes()), "truncated")
  })

  it("reads enhanced video", () => {
    for (const [name, codec] of [
      ["hvc1", "hevc"],
      ["av01", "av1"],
      ["vp09", "vp9"],
      ["avc1", "avc"]
    ] as const) {
      assert.deepStrictEqual(readVideoHeader(bytes(0x90, name, 1)), header(codec, false, true, true))
      assert.deepStrictEqual(readVideoHeader(bytes(0x91, name, 0, 0, 0)), header(codec, true, false, true))
      assert.deepStrictEqual(readVideoHeader(bytes(0xa3, name, 1)), header(codec, false, false, true))
    }
    assert.deepStrictEqual(readVideoHeader(bytes(0x94, "hvc1")), header("hevc", false, false, true))
    assert.deepStrictEqual(readVideoHeader(bytes(0xd1, 0)), header("unknown", false, false, true))
    assert.deepStrictEqual(readVideoHeader(bytes(0x91, "none")), header("unknown", true, false, true))
    assert.strictEqual(readVideoHeader(bytes(0x91, "hvc")), "truncated")
    assert.strictEqual(readVideoHeader(bytes(0x91, "hvc1", 0, 0)), "truncated")
    assert.strictEqual(readVideoHeader(bytes(0x96, 0x01, "hvc1", 0)), "multitrack")
  })

  it("skips modifiers before the packet", () => {
    const nanoseconds = [2, 1, 2, 3] as const
    assert.deepStrictEqual(
      readVideoHeader(bytes(0x97, ...nanoseconds, 0x01, "hvc1", 0, 0, 0)),
      header("hevc", true, false, true)
    )
    const twice = bytes(0x97, ...nanoseconds, 0x07, 255, 0, 9, "0123456789", 0x00, "av01")
    assert.deepStrictEqual(readVideoHeader(twice), header("av1", false, true, true))
    assert.strictEqual(readVideoHeader(bytes(0x97, ...nanoseconds, 0x06, 0)), "multitrack")
    assert.strictEqual(readVideoHeader(bytes(0x97, 200, 1)), "truncated")
    assert.strictEqual(readVideoHeader(bytes(0x97, 255, 1)), "truncated")
  })

  it("reads audio", () => {
    assert.deepStrictEqual(readAudioHeader(bytes(0xaf, 0, 0x12)), header("aac", false, true, false))
    assert.deepStrictEqual(readAudioHeader(bytes(0xaf, 1, 1)), header("aac", true, false, false))
    assert.deepStrictEqual(readAudioHeader(bytes(0x2f, 1)), header("mp3", true, false, false))
    assert.deepStrictEqual(readAudioHeader(bytes(0x90, "Opus")), header("opus", false, true, true))
    assert.deepStrictEqual(readAudioHeader(bytes(0x91, "Opus", 1)), header("opus", true, false, true))
    assert.deepStrictEqual(readAudioHeader(bytes(0x91, "fLaC", 1)), header("flac", true, false, true))
    assert.deepStrictEqual(readAudioHeader(bytes(0x94, "Opus", 1)), header("opus", false, false, true))
    assert.strictEqual(readAudioHeader(bytes(0x95, 0x01, "Opus")), "multitrack")
    assert.strictEqual(readAudioHeader(bytes(0xaf)), "truncated")
    assert.strictEqual(readAudioHeader(bytes(0x91, "Op")), "truncated")
  })

  it("survives any bytes", () => {
    for (let seed = 0; seed < 5_000; seed++) {
      const random = randomOf(seed)
      const any = random.bytes(random.below(12))
      for (const read of [readVideoHeader(any), readAudioHeader(any)]) assert.isDefined(read)
    }
  })
})
