import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { FfmpegFailed } from "../../src/errors/MediaErrors.ts"
import { Media } from "../../src/Media.ts"
import { explain } from "../../src/probe/Explain.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { defaultMediaSettings, MediaSettings } from "../../src/settings/MediaSettings.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"

const refused: ReadonlyArray<readonly [name: string, tag: string, reason: string]> = [
  ["nomoov.mp4", "ProbeFailed", "damaged"],
  ["halfmoov.mp4", "ProbeFailed", "damaged"],
  ["noise.mp4", "ProbeFailed", "not-media"],
  ["text.mp4", "ProbeFailed", "not-media"],
  ["playlist.mp4", "ProbeFailed", "not-media"],
  ["concat.mp4", "ProbeFailed", "not-media"],
  ["cover.png", "ProbeFailed", "not-media"],
  ["noframes.mp4", "UnsupportedMedia", "no-frames"],
  ["manyframes.mp4", "UnsupportedMedia", "too-many-frames"],
  ["manytracks.mp4", "UnsupportedMedia", "too-many-streams"],
  ["large.mkv", "UnsupportedMedia", "too-many-pixels"],
  ["magicyuv.avi", "UnsupportedMedia", "codec"]
]

layer(MediaTest, { excludeTestServices: true })("Probe", (it) => {
  const probed = Effect.fnUntraced(function* (name: string) {
    const path = yield* (yield* Clips).clip(name)
    return yield* (yield* Probe).probe(path)
  })

  for (const [name, tag, reason] of refused) {
    it.effect(`refuses ${name}: ${reason}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(probed(name))
        assert.strictEqual(error._tag, tag)
        assert.strictEqual("reason" in error ? error.reason : undefined, reason)
        assert.notInclude(error.message, "/", "names no path")
      })
    )
  }

  it.effect("turns sizes with rotation and pixel aspect", () =>
    Effect.gen(function* () {
      const rotated = yield* probed("rotated.mp4")
      assert.deepStrictEqual([rotated.video?.width, rotated.video?.height], [180, 320])
      assert.strictEqual(rotated.video?.rotation, 270)
      const wide = yield* probed("anamorphic.mp4")
      assert.deepStrictEqual([wide.video?.width, wide.video?.height], [512, 288])
      assert.isTrue(wide.video?.anamorphic)
    })
  )

  it.effect("knows HDR, 10 bit, interlacing and uneven frames", () =>
    Effect.gen(function* () {
      const hdr = (yield* probed("hdr10.mp4")).video
      assert.deepInclude(hdr, { codec: "hevc", hdr: true, bitDepth: 10, colorPrimaries: "bt2020" })
      assert.deepInclude((yield* probed("tenbit.mp4")).video, { hdr: false, bitDepth: 10 })
      assert.isTrue((yield* probed("interlaced.mp4")).video?.interlaced)
      assert.deepInclude((yield* probed("vfr.mp4")).video, { variableFps: true, nominalFps: 30 })
    })
  )

  it.effect("tells covers from videos", () =>
    Effect.gen(function* () {
      const info = yield* probed("cover.mp3")
      assert.isUndefined(info.video)
      assert.lengthOf(info.pictures, 1)
      assert.deepInclude(info.audio[0], { codec: "mp3", channels: 1, sampleRate: 44100 })
    })
  )

  it.effect("measures recordings that tell no length", () =>
    Effect.gen(function* () {
      assert.closeTo((yield* probed("recorded.webm")).duration, 2, 0.1)
    })
  )

  it.effect("goes by content: names mean nothing", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const clips = yield* Clips
      const folder = yield* clips.folder
      const disguised = `${folder}/-i http:|x.txt`
      yield* fs.copyFile(yield* clips.clip("clip.webm"), disguised)
      const info = yield* (yield* Probe).probe(disguised)
      assert.strictEqual(info.container, "matroska")
      assert.strictEqual(info.video?.codec, "vp8")
    })
  )

  it.effect("keeps paths out of the metadata it shows", () =>
    Effect.gen(function* () {
      const info = yield* probed("plain.mp4")
      assert.notInclude(JSON.stringify(info.raw), "/fixtures")
      assert.strictEqual(info.raw.streams.length, 2)
    })
  )

  it.effect("does not blame the file when the tool cannot be started", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const clips = yield* Clips
      const source = yield* clips.clip("plain.mp4")
      const ffprobePath = `${yield* clips.folder}/ffprobe`
      yield* fs.symlink(yield* (yield* Tools).path("ffprobe"), ffprobePath)
      const ownTools = Media.layer.pipe(
        Layer.provide(Layer.succeed(MediaSettings, { ...defaultMediaSettings, ffprobePath }))
      )
      yield* Effect.gen(function* () {
        const probe = yield* Probe
        assert.strictEqual((yield* probe.probe(source)).container, "mov")
        yield* fs.remove(ffprobePath)
        assert.strictEqual((yield* Effect.flip(probe.probe(source)))._tag, "ToolNotStarted")
      }).pipe(Effect.provide(ownTools, { local: true }))
      const short = new FfmpegFailed({ tool: "ffprobe", reason: "spawn", stderr: ["spawn EAGAIN"] })
      assert.strictEqual(explain(short, new Uint8Array(16))._tag, "ToolNotStarted")
    })
  )

  it.effect("reports a missing file", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip((yield* Probe).probe("/nonexistent/file.mp4"))
      assert.strictEqual("reason" in error ? error.reason : undefined, "missing")
    })
  )
})
