import { assert, layer } from "@effect/vitest"
import { Thumbnails, usualSizes } from "@kinora/media/images/Thumbnails"
import { Effect, FileSystem } from "effect"
import sharp from "sharp"
import { Clips, MediaTest } from "../../../media/test/support/MediaTest.ts"

/** GIF89a: a screen of two colours and as many frames as asked for, each as large as the screen says and a few bytes. */
const animation = (frames: number, width: number, height: number): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const screen = [size, Buffer.from([0x80, 0, 0]), Buffer.from([255, 0, 0, 0, 0, 255])]
  // Descriptor at 0,0, code size, one block of codes, end.
  const frame = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 2, 2, 0x44, 1, 0])])
  const all = Array.from({ length: frames }, () => frame)
  return Buffer.concat([Buffer.from("GIF89a"), ...screen, ...all, Buffer.from([0x3b])])
}

/** A picture with as many segments of 64 kB of metadata as asked for, before anything of the picture. */
const withMetadata = (jpeg: Buffer, segments: number): Buffer => {
  const segment = Buffer.alloc(65_535, 0x41)
  segment.writeUInt16BE(0xff_e1, 0)
  segment.writeUInt16BE(65_533, 2)
  segment.write("Exif\0\0MM\0*\0\0\0\u0008", 4, "latin1")
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: segments }, () => segment), jpeg.subarray(2)])
}

const jpeg = Effect.promise(() =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: "#0f0" } })
    .withExif({ IFD0: { Copyright: "Somebody's secret" }, IFD3: { GPSLatitude: "51/1 30/1 3230/100" } })
    .jpeg()
    .toBuffer()
)

layer(MediaTest, { excludeTestServices: true, timeout: 60_000 })("UPL-12: pictures made to hurt", (it) => {
  const thumbnails = Effect.fnUntraced(function* (file: string, bytes: Uint8Array) {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* (yield* Clips).folder
    const source = `${directory}/${file}`
    yield* fs.writeFile(source, bytes)
    const name = ({ width }: { readonly width: number }) => `${file}-${width}.jpg`
    return yield* (yield* Thumbnails).fromPicture({ source, directory, sizes: usualSizes, name })
  })

  it.effect("an animation of 20 000 frames costs no more than its first", () =>
    Effect.gen(function* () {
      const made = yield* thumbnails("frames.gif", animation(20_000, 1, 1))
      for (const { path } of made) {
        const { format, pages } = yield* Effect.promise(() => sharp(path).metadata())
        assert.deepStrictEqual([format, pages], ["jpeg", undefined])
      }
      const large = yield* Effect.flip(thumbnails("large.gif", animation(20_000, 65_535, 65_535)))
      assert.strictEqual(large._tag, "UnsupportedPicture")
    })
  )

  it.effect("metadata is neither a burden nor handed on", () =>
    Effect.gen(function* () {
      const original = yield* jpeg
      assert.isDefined((yield* Effect.promise(() => sharp(original).metadata())).exif)
      for (const [file, bytes] of [
        ["exif.jpg", original],
        ["heavy.jpg", withMetadata(original, 100)]
      ] as const) {
        const made = yield* thumbnails(file, bytes)
        for (const { path } of made) {
          const read = yield* Effect.promise(() => sharp(path).metadata())
          assert.deepStrictEqual(
            [read.exif, read.icc, read.xmp, read.iptc],
            [undefined, undefined, undefined, undefined]
          )
          const fs = yield* FileSystem.FileSystem
          assert.isBelow(Number((yield* fs.stat(path)).size), 100_000)
        }
      }
    })
  )
})
