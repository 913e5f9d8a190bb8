import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs"
import { UnsupportedMedia } from "../../src/errors/MediaErrors.ts"
import { JoinRecording } from "../../src/live/JoinRecording.ts"
import { livePlan, needsFragments, type LivePlanSettings } from "../../src/live/LivePlan.ts"
import { LivePackager } from "../../src/live/LivePackager.ts"
import { isPart, type LivePart } from "../../src/live/Fragmenting.ts"
import type { ClosedSegment } from "../../src/live/Segmenting.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"

const settings: LivePlanSettings = {
  transcoding: true,
  resolutions: [240],
  alwaysTranscodeOriginalResolution: true,
  maxFps: 60
}

/** The beginning of a clip as a publisher sends it, with a keyframe every second. */
const published = Effect.gen(function* () {
  const clips = yield* Clips
  const source = yield* clips.clip("bbb-10.mp4")
  const directory = yield* clips.folder
  const ffmpeg = yield* (yield* Tools).path("ffmpeg")
  const flv = `${directory}/published.flv`
  const size = ["-t", "6", "-vf", "scale=640:360", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
  const args = ["-v", "error", "-i", source, ...size, "-g", "24", "-c:a", "aac", "-ac", "2", "-f", "flv", flv]
  execFileSync(ffmpeg, args)
  return { directory, flv, info: yield* (yield* Probe).probe(flv) }
})

type Work = Parameters<LivePackager["Service"]["start"]>[0]

/** Cuts an FLV file, in pieces, and returns the segments and the parts in their order. */
const cutInParts = Effect.fnUntraced(function* (flv: string, work: Work) {
  const run = yield* (yield* LivePackager).start(work)
  const feed = Effect.gen(function* () {
    const file = openSync(flv, "r")
    const buffer = Buffer.alloc(10_000)
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      yield* run.write([Uint8Array.from(buffer.subarray(0, read))])
    }
    yield* run.close
  })
  yield* Effect.forkScoped(feed)
  const segments: Array<ClosedSegment> = []
  const parts: Array<LivePart> = []
  const sizes: Array<number> = []
  yield* run.next.pipe(
    Effect.tap((segment) =>
      Effect.sync(() => {
        if (isPart(segment)) return void parts.push(segment)
        segments.push(segment)
        sizes.push(statSync(segment.path).size)
      })
    ),
    Effect.forever,
    Effect.catchTag("Done", () => Effect.void)
  )
  // What is listed is whole.
  assert.deepStrictEqual(
    sizes,
    segments.map(({ path }) => statSync(path).size)
  )
  return { parts, segments }
}, Effect.scoped)

const cut = (flv: string, work: Work) => Effect.map(cutInParts(flv, work), ({ segments }) => segments)

layer(MediaTest, { excludeTestServices: true, timeout: "60 seconds" })("LivePackager", (it) => {
  it.effect("passes the publisher's version through and encodes the others, cut at the same times", () =>
    Effect.gen(function* () {
      const { directory, flv, info } = yield* published
      const outputs = livePlan(info, settings)
      assert.notInstanceOf(outputs, UnsupportedMedia)
      if (outputs instanceof UnsupportedMedia) return
      assert.deepStrictEqual(
        outputs.map(({ picture, resolution, sound }) => [resolution, typeof picture, sound]),
        [
          [360, "string", "copy"],
          [240, "object", "copy"]
        ]
      )
      const segments = yield* cut(flv, {
        info,
        outputs,
        directory,
        prefix: "one",
        segmentSeconds: 2,
        lowLatency: false,
        threads: 1
      })
      const of = (resolution: number) => segments.filter((segment) => segment.resolution === resolution)
      assert.deepStrictEqual(
        of(360).map(({ number }) => number),
        [0, 1, 2]
      )
      assert.strictEqual(of(240).length, 3)
      for (const [index, { seconds }] of of(360).entries()) {
        assert.closeTo(seconds, 2, 0.15)
        assert.closeTo(of(240)[index]!.seconds, seconds, 0.15)
      }
      // One transport stream: its segments after each other are what was sent.
      const whole = `${directory}/whole.ts`
      writeFileSync(whole, Buffer.concat(of(240).map(({ path }) => readFileSync(path))))
      const made = yield* (yield* Probe).probe(whole)
      assert.closeTo(made.duration, info.duration, 0.2)
      assert.strictEqual(made.video?.height, 240)
      assert.strictEqual(made.audio.length, 1)
    })
  )

  it.effect("leaves segments that become one file, also when the last one is cut off", () =>
    Effect.gen(function* () {
      const { directory, flv, info } = yield* published
      const outputs = livePlan(info, { ...settings, transcoding: false })
      if (outputs instanceof UnsupportedMedia) return assert.fail()
      const work = { info, outputs, directory, segmentSeconds: 2, lowLatency: false, threads: 1 }
      const runs = []
      for (const prefix of ["1", "2"]) {
        const segments = yield* cut(flv, { ...work, prefix })
        runs.push(segments.map(({ path }) => path))
      }
      const last = runs.at(-1)!.at(-1)!
      const bytes = readFileSync(last)
      writeFileSync(last, bytes.subarray(0, Math.floor(bytes.length / 2)))
      const joined = yield* (yield* JoinRecording).join({ resolution: 360, runs }, directory)
      const made = yield* (yield* Probe).probe(joined)
      assert.isAbove(made.duration, 2 * info.duration - 1.7)
      assert.isBelow(made.duration, 2 * info.duration)
      assert.strictEqual(made.video?.height, 360)
      assert.strictEqual(made.audio.length, 1)
    })
  )

  it.effect("cuts fragments alike, and parts that make up each segment", () =>
    Effect.gen(function* () {
      const { directory, flv, info } = yield* published
      const outputs = livePlan(info, settings)
      if (outputs instanceof UnsupportedMedia) return assert.fail()
      const work = { info, outputs, directory, segmentSeconds: 2, lowLatency: true, threads: 1 }
      const made = yield* cutInParts(flv, { ...work, prefix: "p", fragments: { partSeconds: 0.35 } })
      const runs: Array<ReadonlyArray<string>> = []
      for (const resolution of [360, 240]) {
        const segments = made.segments.filter((it) => it.resolution === resolution)
        const parts = made.parts.filter((it) => it.resolution === resolution)
        assert.deepStrictEqual(
          segments.map(({ number, seconds }) => [number, Math.round(seconds * 10) / 10]),
          [0, 1, 2].map((number) => [number, 2])
        )
        assert.match(segments[0]!.init!.codecs.join(), /^avc1\.[0-9a-f]{6},mp4a\.40\.2$/)
        for (const { number, path, seconds } of segments) {
          const own = parts.filter(({ segment }) => segment === number)
          assert.deepStrictEqual(Buffer.concat(own.map(({ bytes }) => bytes)), readFileSync(path))
          assert.isAtLeast(own.length, 5)
          assert.isTrue(own[0]!.independent)
          // Independent where the publisher has keyframes: one a second at least.
          assert.isAtLeast(own.filter(({ independent }) => independent).length, 2)
          assert.closeTo(
            own.reduce((sum, part) => sum + part.seconds, 0),
            seconds,
            0.05
          )
          assert.isBelow(Math.max(...own.map((part) => part.seconds)), 0.45)
        }
        assert.deepStrictEqual(
          parts.slice(1).map(({ name }) => name),
          parts.slice(0, -1).map(({ next }) => next)
        )
        runs.push([segments[0]!.init!.path, ...segments.map(({ path }) => path)])
      }
      // Whole segments alone are the same, and do not wait for the next keyframe.
      const plain = yield* cutInParts(flv, { ...work, prefix: "w", fragments: { partSeconds: undefined } })
      assert.strictEqual(plain.parts.length, 0)
      assert.deepStrictEqual(
        plain.segments.filter(({ resolution }) => resolution === 360).map(({ seconds }) => Math.round(seconds)),
        [2, 2, 2]
      )
      const again = plain.segments.filter(({ resolution }) => resolution === 240)
      const second = [again[0]!.init!.path, ...again.map(({ path }) => path)]
      const joined = yield* (yield* JoinRecording).join({ resolution: 240, runs: [runs[1]!, second] }, directory)
      const whole = yield* (yield* Probe).probe(joined)
      assert.closeTo(whole.duration, 2 * info.duration, 0.3)
      assert.strictEqual(whole.video?.height, 240)
      assert.strictEqual(whole.audio.length, 1)
    })
  )

  it.effect("cuts sound alone into fragments", () =>
    Effect.gen(function* () {
      const { directory, flv } = yield* published
      const ffmpeg = yield* (yield* Tools).path("ffmpeg")
      const alone = `${directory}/sound.flv`
      execFileSync(ffmpeg, ["-v", "error", "-y", "-i", flv, "-vn", "-c", "copy", alone])
      const info = yield* (yield* Probe).probe(alone)
      const outputs = livePlan(info, settings)
      if (outputs instanceof UnsupportedMedia) return assert.fail()
      const work = { info, outputs, directory, segmentSeconds: 2, lowLatency: false, threads: 1 }
      for (const partSeconds of [undefined, 0.5]) {
        const made = yield* cutInParts(alone, { ...work, prefix: `s${partSeconds}`, fragments: { partSeconds } })
        assert.deepStrictEqual(
          // The encoder of the sound added a few samples: they are what follows.
          made.segments.slice(0, 3).map(({ init, number, resolution }) => [resolution, number, init?.codecs.join()]),
          [0, 1, 2].map((number) => [0, number, "mp4a.40.2"])
        )
        assert.strictEqual(made.parts.length > 0, partSeconds !== undefined)
      }
    })
  )

  it.effect("ends with an error when what arrives is no stream", () =>
    Effect.gen(function* () {
      const { directory, info } = yield* published
      const flv = `${directory}/noise.flv`
      writeFileSync(flv, Buffer.alloc(100_000, 7))
      const outputs = livePlan(info, settings)
      if (outputs instanceof UnsupportedMedia) return assert.fail()
      const work = { info, outputs, directory, prefix: "two", segmentSeconds: 2, lowLatency: true, threads: 1 }
      for (const fragments of [undefined, { partSeconds: 0.5 }]) {
        const failure = yield* Effect.flip(cut(flv, { ...work, fragments }))
        assert.strictEqual(failure._tag, "FfmpegFailed")
      }
    })
  )

  it.effect("refuses what browsers do not play where nothing may be encoded", () =>
    Effect.gen(function* () {
      const { info } = yield* published
      const only = { ...settings, transcoding: false }
      const plain = livePlan(info, only)
      assert.isTrue(Array.isArray(plain) && plain.length === 1 && plain[0].picture === "copy")
      for (const other of [
        { codec: "vp9" },
        { pixelFormat: "yuv420p10le" },
        { codec: "hevc", pixelFormat: "yuv444p" }
      ]) {
        assert.instanceOf(livePlan({ ...info, video: { ...info.video!, ...other } }, only), UnsupportedMedia)
      }
      // Some browsers play these, out of fragments.
      for (const codec of ["hevc", "av1"]) {
        const modern = { ...info, video: { ...info.video!, codec } }
        const passed = livePlan(modern, only)
        assert.isTrue(Array.isArray(passed) && passed[0].picture === "copy" && needsFragments(passed[0]))
        const encoded = livePlan(modern, settings)
        assert.isTrue(Array.isArray(encoded) && encoded.every(({ picture }) => typeof picture === "object"))
        assert.isTrue(Array.isArray(encoded) && !encoded.some(needsFragments))
      }
    })
  )
})
