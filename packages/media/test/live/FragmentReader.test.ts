import { assert, describe, it } from "@effect/vitest"
import { MalformedMp4 } from "../../src/errors/MediaErrors.ts"
import { FragmentReader, type ReadFragment, type ReadInit } from "../../src/live/FragmentReader.ts"

const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body])
}

const visual = box("avc1", Buffer.alloc(78), box("avcC", Buffer.from([1, 0x64, 0, 0x1f])))
const audible = box("mp4a", Buffer.alloc(28))
const trak = (id: number, timescale: number, entry: Buffer): Buffer =>
  box(
    "trak",
    box("tkhd", u32(0, 0, 0, id)),
    box("mdia", box("mdhd", u32(0, 0, 0, timescale)), box("minf", box("stbl", box("stsd", u32(0, 1), entry))))
  )
const moov = box("moov", trak(2, 48_000, audible), trak(1, 1000, visual))
const ftyp = box("ftyp", Buffer.from("iso5"))

/** Three samples of 40 ticks with the flags of the first. */
const traf = (id: number, at: number, flags: number): Buffer =>
  box(
    "traf",
    box("tfhd", u32(0x2_00_08, id, 40)),
    box("tfdt", u32(0x1_00_00_00, 0, at)),
    box("trun", u32(0x4, 3, flags))
  )
const fragment = (...trafs: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([box("moof", ...trafs), box("mdat", Buffer.alloc(500, 7))])

const keyframe = fragment(traf(1, 2000, 0x2_00_00_00), traf(2, 96_000, 0))
const delta = fragment(traf(1, 2120, 0x1_01_00_00))
const soundAlone = fragment(traf(2, 102_000, 0))
const stream = Buffer.concat([ftyp, moov, keyframe, box("free", Buffer.alloc(3)), delta, soundAlone])

const read = (bytes: Uint8Array, piece: number): ReadonlyArray<ReadInit | ReadFragment> => {
  const reader = new FragmentReader()
  const found: Array<ReadInit | ReadFragment> = []
  for (let at = 0; at < bytes.length; at += piece) found.push(...reader.push(bytes.subarray(at, at + piece)))
  return found
}

/** A generator of numbers that is the same each time. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

describe("FragmentReader", () => {
  it("reads the beginning and each fragment, however the bytes arrive", () => {
    for (const piece of [1, 3, 16, 777, stream.length]) {
      const [init, ...fragments] = read(stream, piece)
      assert.deepStrictEqual(init, {
        kind: "init",
        bytes: Buffer.concat([ftyp, moov]),
        codecs: ["mp4a.40.2", "avc1.64001f"]
      })
      assert.deepStrictEqual(
        fragments.map((it) => it.kind === "fragment" && [it.start, it.seconds, it.independent]),
        [
          [2, 0.12, true],
          [2.12, 0.12, false],
          [undefined, 0, false]
        ]
      )
      assert.deepStrictEqual(
        fragments.map(({ bytes }) => bytes),
        [keyframe, delta, soundAlone]
      )
    }
  })

  it("refuses what is no such stream, and boxes that are too large", () => {
    const long = Buffer.concat([u32(1), Buffer.from("mdat", "latin1"), u32(0x7f_ff_ff, 0)])
    const refused = [
      Buffer.alloc(100, 7),
      Buffer.alloc(100),
      Buffer.concat([ftyp, keyframe]),
      Buffer.concat([ftyp, moov, moov]),
      Buffer.concat([ftyp, box("moov")]),
      Buffer.concat([u32(300 * 1024 ** 2), Buffer.from("mdat", "latin1"), Buffer.alloc(8)]),
      Buffer.concat([u32(2 * 1024 ** 2), Buffer.from("free", "latin1"), Buffer.alloc(8)]),
      long
    ]
    for (const bytes of refused) assert.throws(() => read(bytes, 50), MalformedMp4)
  })

  it("says of bytes that were changed that they are malformed, or reads them", () => {
    const next = random(7)
    const indexes = ftyp.length + moov.length + keyframe.length
    for (let nth = 0; nth < 20_000; nth++) {
      const bytes = Buffer.from(stream)
      for (let count = 1 + Math.floor(next() * 4); count > 0; count--) {
        bytes[Math.floor(next() * indexes)] = Math.floor(next() * 256)
      }
      const end = next() < 0.3 ? Math.floor(next() * bytes.length) : bytes.length
      try {
        for (const it of read(bytes.subarray(0, end), 1 + Math.floor(next() * 900))) {
          if (it.kind === "fragment") assert.isTrue(Number.isFinite(it.seconds))
        }
      } catch (error) {
        assert.instanceOf(error, MalformedMp4)
      }
    }
  })
})
