import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import sharp from "sharp"
import { Pictures } from "../../src/images/Pictures.ts"
import { stillPlan, storyboardPlan } from "../../src/images/StoryboardPlan.ts"
import { Storyboard } from "../../src/images/Storyboard.ts"
import { Thumbnails, usualSizes } from "../../src/images/Thumbnails.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"
import { media, video } from "../support/Sample.ts"

/** A png that says it is 65,535 pixels wide and high, in a few hundred bytes. */
const bomb = (png: Buffer): Buffer => {
  const grown = Buffer.from(png)
  grown.writeUInt32BE(65_535, 16)
  grown.writeUInt32BE(65_535, 20)
  return grown
}

/** A disk on which nothing more can be written. */
const fullDisk = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(FileSystem.FileSystem, (fs) =>
    FileSystem.FileSystem.of({
      ...fs,
      writeFile: (pathOrDescriptor) =>
        Effect.fail(
          PlatformError.systemError({
            _tag: "Unknown",
            module: "FileSystem",
            method: "writeFile",
            description: "ENOSPC: no space left on device, write",
            pathOrDescriptor
          })
        )
    })
  )
)

layer(MediaTest, { excludeTestServices: true })("Images", (it) => {
  const name = (size: { readonly width: number }) => `t-${size.width}.jpg`
  const fromBytes = Effect.fnUntraced(function* (file: string, bytes: Uint8Array) {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* (yield* Clips).folder
    const source = `${directory}/${file}`
    yield* fs.writeFile(source, bytes)
    return yield* (yield* Thumbnails).fromPicture({ source, directory, sizes: usualSizes, name })
  })
  const png = Effect.promise(() =>
    sharp({ create: { width: 300, height: 300, channels: 4, background: "#f00" } })
      .png()
      .toBuffer()
  )

  it.effect("takes a telling picture of a video in every size", () =>
    Effect.gen(function* () {
      const clips = yield* Clips
      const directory = yield* clips.folder
      for (const clip of ["plain.mp4", "hdr10.mp4", "rotated.mp4", "short.mp4", "cover.mp3", "sound.mp3"]) {
        const source = yield* clips.clip(clip)
        const info = yield* (yield* Probe).probe(source)
        const made = yield* (yield* Thumbnails).fromVideo({ source, info, directory, sizes: usualSizes, name })
        for (const [index, picture] of made.entries()) {
          const read = yield* Effect.promise(() => sharp(picture.path).metadata())
          assert.deepInclude(read, { format: "jpeg", ...usualSizes[index] }, clip)
        }
      }
      assert.lengthOf(yield* (yield* FileSystem.FileSystem).readDirectory(directory), 2)
    })
  )

  it.effect("takes uploaded pictures whatever they are called", () =>
    Effect.gen(function* () {
      const made = yield* fromBytes("picture.php", yield* png)
      assert.deepStrictEqual(
        made.map((picture) => [picture.width, picture.height]),
        [
          [280, 157],
          [850, 480]
        ]
      )
    })
  )

  for (const [label, bytes] of [
    ["an svg called png", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)],
    ["an svg with a declaration", Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`)],
    ["a page", Buffer.from("<html><script>alert(1)</script></html>")],
    ["nothing", Buffer.alloc(0)]
  ] as const) {
    it.effect(`refuses ${label}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(fromBytes("picture.png", bytes))
        assert.deepInclude(error, { _tag: "UnsupportedPicture", reason: "type" })
      })
    )
  }

  it.effect("leaves no picture when the disk is full, and blames the machine", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* (yield* Clips).folder
      const source = `${directory}/full.png`
      yield* fs.writeFile(source, yield* png)
      const before = yield* fs.readDirectory(directory)
      yield* Effect.gen(function* () {
        const pictures = yield* Pictures
        const targets = usualSizes.map((size) => ({ ...size, path: `${directory}/${name(size)}.full` }))
        const error = yield* Effect.flip(pictures.write(source, targets, "cover"))
        assert.strictEqual(error._tag, "PlatformError")
        const plain = yield* Effect.flip(pictures.plain({ path: `${directory}/plain.full`, width: 280, height: 157 }))
        assert.strictEqual(plain._tag, "PlatformError")
      }).pipe(Effect.provide(Layer.fresh(Pictures.layer).pipe(Layer.provide(fullDisk))))
      assert.sameMembers(yield* fs.readDirectory(directory), before)
    })
  )

  it.effect("refuses a decompression bomb before decoding it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(fromBytes("picture.png", bomb(yield* png)))
      assert.strictEqual(error._tag, "UnsupportedPicture")
    })
  )

  it.effect("makes no picture of more pixels than it would read", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* (yield* Clips).folder
      const source = `${directory}/small.png`
      yield* fs.writeFile(source, yield* png)
      const target = { path: `${directory}/huge.jpg`, width: 50_000, height: 50_000 }
      const error = yield* Effect.flip((yield* Pictures).write(source, [target], "cover"))
      assert.deepInclude(error, { _tag: "UnsupportedPicture", reason: "too-many-pixels" })
      assert.isFalse(yield* fs.exists(target.path))
    })
  )

  it.effect("refuses a picture that is cut off", () =>
    Effect.gen(function* () {
      const whole = yield* Effect.promise(() =>
        sharp({
          create: {
            width: 300,
            height: 300,
            channels: 3,
            background: "#0f0",
            noise: { type: "gaussian", mean: 128, sigma: 30 }
          }
        })
          .jpeg()
          .toBuffer()
      )
      const error = yield* Effect.flip(fromBytes("picture.jpg", whole.subarray(0, whole.length / 2)))
      assert.deepInclude(error, { _tag: "UnsupportedPicture", reason: "damaged" })
    })
  )

  it("plans sheets of at most 121 sprites", () => {
    const wide = video({ width: 1920, height: 1080 })
    assert.deepInclude(storyboardPlan(media(wide, true, 60)), {
      spriteWidth: 192,
      spriteHeight: 108,
      spriteDuration: 1,
      columns: 8,
      rows: 8,
      totalWidth: 1536,
      totalHeight: 864
    })
    assert.deepInclude(storyboardPlan(media(wide, true, 3 * 3600)), {
      spriteDuration: 90,
      columns: 11,
      rows: 11,
      count: 120
    })
    assert.deepInclude(storyboardPlan(media(wide, true, 0.5)), { spriteDuration: 1, count: 1, totalWidth: 192 })
    assert.deepInclude(storyboardPlan(media(video({ width: 1080, height: 1920 }))), {
      spriteWidth: 108,
      spriteHeight: 192
    })
    assert.isUndefined(storyboardPlan(media(undefined)))
    assert.deepInclude(stillPlan(61.2, { width: 850, height: 480 }), {
      ...{ totalWidth: 192, totalHeight: 108, spriteWidth: 192, spriteHeight: 108 },
      ...{ spriteDuration: 62, count: 1 }
    })
  })

  it.effect("draws a storyboard by itself", () =>
    Effect.gen(function* () {
      const clips = yield* Clips
      const source = yield* clips.clip("plain.mp4")
      const path = `${yield* clips.folder}/sheet.jpg`
      const info = yield* (yield* Probe).probe(source)
      const made = yield* (yield* Storyboard).create({ source, info, path })
      const read = yield* Effect.promise(() => sharp(path).metadata())
      assert.deepInclude(read, { format: "jpeg", width: made.totalWidth, height: made.totalHeight })
      // Every sprite shows something: none is the sheet's black background.
      for (let index = 0; index < 6; index++) {
        const region = {
          left: (index % 3) * made.spriteWidth,
          top: Math.floor(index / 3) * made.spriteHeight,
          width: made.spriteWidth,
          height: made.spriteHeight
        }
        const stats = yield* Effect.promise(() => sharp(path).extract(region).stats())
        assert.isAbove(stats.entropy, 1, `sprite ${index}`)
      }
    })
  )
})
