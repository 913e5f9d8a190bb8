import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { encodeAmf0 } from "../../src/amf/Amf0Writer.ts"
import { FlvFile } from "../../src/flv/FlvFile.ts"
import type { FlvTag } from "../../src/flv/FlvTag.ts"
import { flvFileHeader, flvTagBytes } from "../../src/flv/FlvWriter.ts"
import { ffmpeg, pictures } from "../support/Ffmpeg.ts"
import { type Random, randomOf, seeds } from "../support/Random.ts"

const video = (timestamp: number, payload: ReadonlyArray<number>, facts: Partial<FlvTag> = {}): FlvTag => ({
  kind: "video",
  timestamp,
  payload: Buffer.from(payload),
  codec: "avc",
  keyframe: false,
  sequenceHeader: false,
  enhanced: false,
  ...(facts as object)
})

const tags: ReadonlyArray<FlvTag> = [
  { kind: "script", timestamp: 0, payload: Buffer.from(encodeAmf0("onMetaData", { width: 640 })) },
  video(0, [0x17, 0, 0, 0, 0, 1, 2, 3], { sequenceHeader: true } as Partial<FlvTag>),
  video(0, [0x17, 1, 0, 0, 0, ...Array<number>(300).fill(7)], { keyframe: true } as Partial<FlvTag>),
  {
    ...{ kind: "audio", timestamp: 20, payload: Buffer.from([0xaf, 1, 9]), codec: "aac" },
    ...{ keyframe: true, sequenceHeader: false, enhanced: false }
  },
  video(40, [0x27, 1, 0, 0, 0, 5])
]

const file = (of: ReadonlyArray<FlvTag>) =>
  Buffer.concat([flvFileHeader({ audio: true, video: true }), ...of.map(flvTagBytes)])

/** All tags of bytes in pieces, or why they cannot be read. What was read is overwritten: tags own their bytes. */
const readAll = (pieces: Iterable<Uint8Array>, flv = new FlvFile()): ReadonlyArray<FlvTag> | string => {
  const found: Array<FlvTag> = []
  for (const piece of pieces) {
    const own = Buffer.from(piece)
    const read = flv.read(own)
    own.fill(0xee)
    if (Result.isFailure(read)) return read.failure.detail
    found.push(...read.success)
  }
  return found
}

const split = function* (bytes: Buffer, random: Random): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const length = random.pick([1, 2, 3, 7, 11, 15, 64, 1_000])
    yield bytes.subarray(at, at + length)
    at += length
  }
}

describe("FlvFile", () => {
  it("reads the same tags however the bytes are split", () => {
    const bytes = file(tags)
    for (let seed = 0; seed < 200; seed++) assert.deepStrictEqual(readAll(split(bytes, randomOf(seed))), tags)
    assert.deepStrictEqual(readAll([bytes.subarray(0, -1)]), tags)
    assert.deepStrictEqual(readAll([bytes.subarray(0, -5)]), tags.slice(0, -1))
  })

  it("continues times beyond 32 bits, and skips a longer header", () => {
    const late = file([video(0xff_ff_ff_f0, [0x17, 1, 0, 0, 0, 1]), video(0x1_00_00_00_10, [0x27, 1, 0, 0, 0, 1])])
    const read = readAll([late])
    assert.deepStrictEqual(
      Array.isArray(read) && read.map(({ timestamp }) => timestamp),
      [0xff_ff_ff_f0, 0x1_00_00_00_10]
    )
    const bytes = file(tags)
    const longer = Buffer.concat([bytes.subarray(0, 9), Buffer.alloc(11), bytes.subarray(9)])
    longer.writeUInt32BE(20, 5)
    assert.deepStrictEqual(readAll(split(longer, randomOf(1))), tags)
  })

  it("fails with what is wrong", () => {
    assert.strictEqual(readAll([Buffer.from("RIFF....AVI ")]), "no header of an FLV file")
    const far = file([])
    far.writeUInt32BE(1_000, 5)
    assert.strictEqual(readAll([far]), "a header of 1000 bytes")
    assert.strictEqual(readAll([file(tags)], new FlvFile(100)), "a tag of 305 bytes")
    const odd = file([video(0, [0x17, 1, 0, 0, 0, 1])])
    odd[13] = 15
    assert.strictEqual(readAll([odd]), "a tag of type 15")
    assert.strictEqual(readAll([file([video(0, [0x17])])]), "truncated")
  })

  it.live("reads what ffmpeg writes: the same file comes out", () =>
    Effect.gen(function* () {
      const run = yield* ffmpeg([...pictures(2), "pipe:1"])
      assert.strictEqual(run.code, 0, run.log)
      const read = readAll(split(run.output, randomOf(3)))
      if (typeof read === "string") return assert.fail(read)
      assert.deepStrictEqual(file(read).subarray(13), run.output.subarray(13))
      assert.strictEqual(read.filter((tag) => tag.kind === "video" && tag.keyframe).length, 2)
    })
  )

  it("survives any bytes, and keeps no more than a tag", () => {
    const bytes = file(tags)
    for (let seed = 0; seed < seeds(3_000, 100_000); seed++) {
      const random = randomOf(seed)
      const mutated = Buffer.from(bytes)
      for (let count = 1 + random.below(6); count > 0; count--) mutated[random.below(bytes.length)] = random.below(256)
      const read = readAll(split(random.below(4) === 0 ? random.bytes(200) : mutated, random), new FlvFile(4_096))
      assert.isTrue(typeof read === "string" || read.every(({ payload }) => payload.length <= 4_096))
    }
  })
})
