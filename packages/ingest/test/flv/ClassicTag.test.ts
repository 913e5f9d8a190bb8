import { assert, describe, it } from "@effect/vitest"
import { toClassic } from "../../src/flv/ClassicTag.ts"
import type { Codec } from "../../src/flv/Codec.ts"

const bytes = (...parts: ReadonlyArray<number | string>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from([part]))))
const rewrites = (codec: Codec, enhanced: Buffer, classic: Buffer) =>
  assert.strictEqual(Buffer.from(toClassic(enhanced, codec) ?? []).toString("hex"), classic.toString("hex"))

describe("toClassic", () => {
  it("rewrites H.264", () => {
    rewrites("avc", bytes(0x90, "avc1", "config"), bytes(0x17, 0, 0, 0, 0, "config"))
    rewrites("avc", bytes(0x91, "avc1", 0, 0, 40, "frame"), bytes(0x17, 1, 0, 0, 40, "frame"))
    rewrites("avc", bytes(0xa3, "avc1", "frame"), bytes(0x27, 1, 0, 0, 0, "frame"))
    rewrites("avc", bytes(0x92, "avc1"), bytes(0x17, 2, 0, 0, 0))
    rewrites("avc", bytes(0xa7, 2, 1, 2, 3, 0x03, "avc1", "frame"), bytes(0x27, 1, 0, 0, 0, "frame"))
  })

  it("rewrites AAC and MP3", () => {
    rewrites("aac", bytes(0x90, "mp4a", 0x12, 0x10), bytes(0xaf, 0, 0x12, 0x10))
    rewrites("aac", bytes(0x91, "mp4a", "frame"), bytes(0xaf, 1, "frame"))
    rewrites("mp3", bytes(0x91, ".mp3", "frame"), bytes(0x2f, "frame"))
  })

  it("leaves everything else", () => {
    for (const [codec, tag] of [
      ["hevc", bytes(0x91, "hvc1", 0, 0, 0, 1)],
      ["opus", bytes(0x91, "Opus", 1)],
      ["avc", bytes(0x94, "avc1", 1)],
      ["aac", bytes(0x94, "mp4a", 1)],
      ["mp3", bytes(0x90, ".mp3")]
    ] as const) {
      assert.isUndefined(toClassic(tag, codec))
    }
  })
})
