import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs"
import { UnsupportedMedia } from "../../src/errors/MediaErrors.ts"
import { JoinRecording } from "../../src/live/JoinRecording.ts"
import { livePlan, type LivePlanSettings } from "../../src/live/LivePlan.ts"
import { LivePackager } from "../../src/live/LivePackager.ts"
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

/** Cuts an FLV file, in pieces, and returns the segments in their order. */
const cut = Effect.fnUntraced(function* (flv: string, work: Parameters<LivePackager["Service"]["start"]>[0]) {
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
  const sizes: Array<number> = []
  yield* run.next.pipe(
    Effect.tap((segment) =>
      Effect.sync(() => {
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
  return segments
}, Effect.scoped)

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

  it.effect("ends with an error when what arrives is no stream", () =>
    Effect.gen(function* () {
      const { directory, info } = yield* published
      const flv = `${directory}/noise.flv`
      writeFileSync(flv, Buffer.alloc(100_000, 7))
      const outputs = livePlan(info, settings)
      if (outputs instanceof UnsupportedMedia) return assert.fail()
      const work = { info, outputs, directory, prefix: "two", segmentSeconds: 2, lowLatency: true, threads: 1 }
      const failure = yield* Effect.flip(cut(flv, work))
      assert.strictEqual(failure._tag, "FfmpegFailed")
    })
  )

  it.effect("refuses what browsers do not play where nothing may be encoded", () =>
    Effect.gen(function* () {
      const { info } = yield* published
      const only = { ...settings, transcoding: false }
      const plain = livePlan(info, only)
      assert.isTrue(Array.isArray(plain) && plain.length === 1 && plain[0].picture === "copy")
      const wide = { ...info, video: { ...info.video!, codec: "hevc" } }
      assert.instanceOf(livePlan(wide, only), UnsupportedMedia)
      const encoded = livePlan(wide, settings)
      assert.isTrue(Array.isArray(encoded) && encoded.every(({ picture }) => typeof picture === "object"))
    })
  )
})
