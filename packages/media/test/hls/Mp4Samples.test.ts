import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Path } from "effect"
import { mergeTracks } from "../../src/hls/Mp4Merge.ts"
import { readSamples } from "../../src/hls/Mp4Samples.ts"
import { packetReader } from "../../src/parts/SourcePackets.ts"

const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}
const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body])
}
const none = Buffer.alloc(0)
const head = box("ftyp", Buffer.from("isom"), u32(0))
const pictures = box("mdat", Buffer.alloc(30, 7))
/** Where the pictures begin. */
const at = head.length + 8

interface Told {
  readonly sizes?: ReadonlyArray<number>
  readonly keyframes?: ReadonlyArray<number>
  /** Pictures a chunk. */
  readonly run?: number
  readonly offsets?: ReadonlyArray<number>
  /** Bytes of the sample entry beyond what it needs. */
  readonly more?: number
}

/** A track of three pictures of ten bytes each, unless it says otherwise. */
const track = ({ keyframes = [1, 3], more = 0, offsets = [at], run = 3, sizes = [10, 10, 10] }: Told): Buffer => {
  const entry = box("avc1", Buffer.alloc(78), box("avcC", Buffer.alloc(8 + more, 1)))
  return box(
    "trak",
    box(
      "mdia",
      box("mdhd", u32(0, 0, 0, 25, 0, 0)),
      box("hdlr", u32(0, 0), Buffer.from("vide"), u32(0, 0, 0)),
      box(
        "minf",
        box(
          "stbl",
          box("stsd", u32(0, 1), entry),
          box("stts", u32(0, 1, sizes.length, 1)),
          box("stss", u32(0, keyframes.length, ...keyframes)),
          box("stsc", u32(0, 1, 1, run, 1)),
          box("stsz", u32(0, 0, sizes.length, ...sizes)),
          box("stco", u32(0, offsets.length, ...offsets))
        )
      )
    )
  )
}

const file = (told: Told, tracks = 1, before: Buffer = none, beside: Buffer = none): Buffer => {
  const one = track(told)
  const index = box("moov", ...Array.from({ length: tracks }, () => one), beside)
  return Buffer.concat([head, pictures, before, index])
}

const reads = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const fs = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(yield* fs.makeTempDirectoryScoped(), "one.mp4")
  yield* fs.writeFile(path, bytes)
  return { path, tracks: yield* readSamples(path, 3) }
})

const refusals: ReadonlyArray<readonly [string, Buffer, string]> = [
  ["keyframes beyond the end", file({ keyframes: [1, 4] }), "disorder"],
  ["keyframes before the beginning", file({ keyframes: [0] }), "disorder"],
  ["keyframes twice", file({ keyframes: [2, 2] }), "disorder"],
  ["more keyframes than pictures", file({ keyframes: [1, 2, 3, 3] }), "more keyframes"],
  ["chunks without pictures", file({ run: 0, offsets: [at, at] }), "chunk without pictures"],
  ["pictures beyond the end", file({ sizes: [10, 10, 100_000] }), "beyond the end"],
  ["pictures upon one another", file({ sizes: [300, 300, 300], run: 1, offsets: [0, 0, 0] }), "more bytes"],
  ["the same pictures in every track", file({ sizes: [300, 300, 300], offsets: [100] }, 16), "more bytes"],
  ["many tracks", file({}, 17), "17 tracks"],
  ["more pictures than were asked for", file({ sizes: [1, 1, 1, 1], run: 4 }), "more frames"],
  ["a long sample entry", file({ more: 64 * 1024 }), "sample entry"],
  ["a long index", file({}, 1, none, box("free", Buffer.alloc(2 * 1024 ** 2))), "an index of"],
  ["boxes without end", file({}, 1, Buffer.concat(Array.from({ length: 1001 }, () => box("free")))), "too many boxes"]
]

describe("Pictures of a stranger's mp4", () => {
  it.layer(Layer.fresh(NodeServices.layer))((it) => {
    it.effect("are found", () =>
      Effect.gen(function* () {
        const { tracks } = yield* reads(file({}))
        assert.lengthOf(tracks, 1)
        assert.deepInclude(tracks[0], { keyframes: [0, 2], chunks: [{ offset: at, length: 30 }], delta: 1 })
      }).pipe(Effect.scoped)
    )

    for (const [name, bytes, words] of refusals) {
      it.effect(`are refused: ${name}`, () =>
        Effect.gen(function* () {
          const { message } = yield* Effect.flip(reads(bytes))
          assert.include(message, words)
        }).pipe(Effect.scoped)
      )
    }

    it.effect("that cannot be read are told of without a path", () =>
      Effect.gen(function* () {
        const { detail } = yield* Effect.flip(readSamples("/srv/nowhere/one.mp4", 3))
        assert.strictEqual(detail, "The file cannot be read")
      })
    )

    it.effect("that cannot be written are not said to be broken", () =>
      Effect.gen(function* () {
        const { path, tracks } = yield* reads(file({}))
        const pieces = [{ path, track: tracks[0]! }]
        const error = yield* Effect.flip(mergeTracks(`${path}/in/a/file.mp4`, [{ pieces }]))
        assert.strictEqual(error._tag, "PlatformError")
      }).pipe(Effect.scoped)
    )
  })

  it("are counted no further than memory allows", () => {
    const reader = packetReader(1, 0, 3)
    reader.add(Buffer.from("0,1,K__\n1,1,___\n2,1,___\n"))
    assert.isFalse(reader.isOver())
    reader.add(Buffer.from("3,1,___\n"))
    assert.isTrue(reader.isOver())
    assert.strictEqual(reader.finish(), "has too many pictures")
  })
})
