import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { RemuxToFlv, type RemuxWork } from "../../src/live/RemuxToFlv.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"

/** Moving pictures and a tone for six seconds, encoded and muxed with these options. */
const made = Effect.fnUntraced(function* (name: string, options: ReadonlyArray<string>) {
  const to = `${yield* (yield* Clips).folder}/${name}`
  const inputs = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=frequency=440"]
  const ffmpeg = yield* (yield* Tools).path("ffmpeg")
  execFileSync(ffmpeg, ["-v", "error", ...inputs, "-t", "6", "-pix_fmt", "yuv420p", "-g", "25", ...options, to])
  return to
})

/** Remuxes bytes and returns the FLV stream. */
const remuxed = Effect.fnUntraced(function* (work: RemuxWork, bytes: Uint8Array) {
  const run = yield* (yield* RemuxToFlv).start(work)
  yield* Effect.forkScoped(
    Effect.gen(function* () {
      for (let at = 0; at < bytes.length; at += 10_000) yield* run.write(bytes.subarray(at, at + 10_000))
      yield* run.close
    })
  )
  const output: Array<Buffer> = []
  yield* run.next.pipe(
    Effect.tap((piece) => Effect.sync(() => output.push(piece))),
    Effect.forever,
    Effect.catchTag("Done", () => Effect.void)
  )
  return Buffer.concat(output)
}, Effect.scoped)

const probed = Effect.fnUntraced(function* (flv: Uint8Array) {
  const path = `${yield* (yield* Clips).folder}/remuxed.flv`
  writeFileSync(path, flv)
  return yield* (yield* Probe).probe(path)
})

/** Whether this ffmpeg writes what only Enhanced RTMP has a place for: versions before 6.1 (2023) refuse it in words. */
const isEnhanced = Effect.map(Tools, ({ report: { ffmpeg } }) => {
  const { major = 0, minor = 0, year = 0 } = ffmpeg ?? {}
  return major > 0 ? major > 6 || (major === 6 && minor >= 1) : year >= 2023
})

/** How many frames can be decoded. */
const frames = Effect.fnUntraced(function* (flv: Uint8Array) {
  const ffmpeg = yield* (yield* Tools).path("ffmpeg")
  const args = ["-v", "error", "-f", "flv", "-i", "pipe:0", "-map", "0:v", "-f", "framehash", "-"]
  const hashes = execFileSync(ffmpeg, args, { input: flv, maxBuffer: 2 ** 24 }).toString()
  return hashes.split("\n").filter((line) => line.startsWith("0,")).length
})

const cases = [
  {
    name: "H.264 and AAC of a transport stream, as they are",
    file: "plain.ts",
    options: ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"],
    work: { container: "mpegts", sound: "copy" },
    video: "h264"
  },
  {
    name: "HEVC, and MP2 as AAC",
    file: "broadcast.ts",
    options: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-c:a", "mp2"],
    work: { container: "mpegts", sound: "encode" },
    video: "hevc"
  },
  {
    name: "H.264 of Matroska, and Opus as AAC",
    file: "plain.mkv",
    options: ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "libopus", "-live", "1"],
    work: { container: "matroska", sound: "encode" },
    video: "h264"
  },
  {
    name: "VP9 of Matroska",
    file: "vp9.mkv",
    options: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus", "-live", "1"],
    work: { container: "matroska", sound: "encode" },
    video: "vp9"
  }
] as const

layer(MediaTest, { excludeTestServices: true, timeout: "60 seconds" })("RemuxToFlv", (it) => {
  for (const { file, name, options, video, work } of cases) {
    it.effect(`passes on ${name}`, () =>
      Effect.gen(function* () {
        const run = remuxed(work, readFileSync(yield* made(file, options)))
        if (video !== "h264" && !(yield* isEnhanced)) {
          const failure = yield* Effect.flip(run)
          return assert.include(failure.message, "not compatible with flv")
        }
        const flv = yield* run
        const info = yield* probed(flv)
        assert.strictEqual(info.video?.codec, video)
        assert.deepStrictEqual([info.video?.width, info.video?.height], [320, 180])
        assert.deepStrictEqual(
          info.audio.map(({ codec }) => codec),
          ["aac"]
        )
        assert.closeTo(info.duration, 6, 0.1)
        // From the first keyframe to the last frame.
        assert.strictEqual(yield* frames(flv), 150)
      })
    )
  }

  it.effect("passes sound alone on, and pictures alone", () =>
    Effect.gen(function* () {
      const sound = yield* made("sound.ts", ["-vn", "-c:a", "aac"])
      const heard = yield* probed(yield* remuxed({ container: "mpegts", sound: "copy" }, readFileSync(sound)))
      assert.deepStrictEqual([heard.video, heard.audio.length], [undefined, 1])
      const picture = yield* made("picture.ts", ["-an", "-c:v", "libx264", "-preset", "ultrafast"])
      const seen = yield* probed(yield* remuxed({ container: "mpegts", sound: "encode" }, readFileSync(picture)))
      assert.deepStrictEqual([seen.video?.codec, seen.audio.length], ["h264", 0])
    })
  )

  it.effect("fails with what ffmpeg said about noise, and about a codec that FLV has no place for", () =>
    Effect.gen(function* () {
      const noise = yield* Effect.flip(remuxed({ container: "mpegts", sound: "copy" }, Buffer.alloc(200_000, 7)))
      assert.strictEqual(noise._tag, "FfmpegFailed")
      const old = readFileSync(yield* made("old.ts", ["-c:v", "mpeg2video", "-c:a", "aac"]))
      const failure = yield* Effect.flip(remuxed({ container: "mpegts", sound: "copy" }, old))
      assert.include(failure.message, "incompatible with output codec")
    })
  )

  it.effect("holds the writer back while nobody reads, and goes on when somebody does", () =>
    Effect.gen(function* () {
      const options = ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-c:a", "aac"]
      const bytes = readFileSync(yield* made("large.ts", options))
      const run = yield* (yield* RemuxToFlv).start({ container: "mpegts", sound: "copy" })
      let written = 0
      const writer = yield* Effect.forkScoped(
        Effect.gen(function* () {
          for (let at = 0; at < 20 * bytes.length; at += 10_000) {
            const from = at % bytes.length
            yield* run.write(bytes.subarray(from, from + 10_000))
            written = at
          }
        })
      )
      /** Waits until nothing more is taken. */
      const stalled = Effect.gen(function* () {
        for (let before = -1, since = yield* Clock.currentTimeMillis; ;) {
          if (written !== before) since = yield* Clock.currentTimeMillis
          before = written
          if ((yield* Clock.currentTimeMillis) - since > 1_000) return written
          yield* Effect.sleep(50)
        }
      })
      const held = yield* stalled
      assert.isBelow(held, 20 * bytes.length - 10_000)
      assert.isAbove(held, 0)
      yield* Effect.forkScoped(Effect.forever(run.next))
      yield* Fiber.await(writer)
      assert.isAbove(written, held)
    })
  )
})
