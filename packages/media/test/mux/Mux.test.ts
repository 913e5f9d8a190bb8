import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem } from "effect"
import { execFileSync } from "node:child_process"
import { Mux, type MuxInputs } from "../../src/mux/Mux.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { Remux } from "../../src/remux/Remux.ts"
import { fileNames } from "../../src/transcode/FileNames.ts"
import { Clips, MediaTest } from "../support/MediaTest.ts"

/** Processes that have the path among their arguments. */
const processesWith = (path: string): number => {
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n")
  return lines.filter((line) => line.includes("ffmpeg") && line.includes(path)).length
}

/** Takes all that a mux gives. */
const taken = Effect.fnUntraced(function* (inputs: MuxInputs) {
  const { next } = yield* (yield* Mux).mux(inputs)
  const pieces: Array<Uint8Array> = []
  for (let piece = yield* next; piece !== undefined; piece = yield* next) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}, Effect.scoped)

layer(MediaTest, { excludeTestServices: true })("Mux", (it) => {
  /** A video-only and an audio-only file of a clip, as HLS with separate audio has them. */
  const parts = Effect.gen(function* () {
    const clips = yield* Clips
    const source = yield* clips.clip("bbb-10.mp4")
    const directory = yield* clips.folder
    const info = yield* (yield* Probe).probe(source)
    const made = yield* (yield* Remux).remux({
      source,
      info,
      directory,
      names: fileNames("m"),
      hls: true,
      webVideo: false,
      splitAudio: true
    })
    const fileOf = (resolution: number) => made.renditions.find((one) => one.resolution === resolution)?.hls?.file ?? ""
    return { info, directory, video: fileOf(1080), audio: fileOf(0) }
  })

  it.effect("gives one mp4 with both streams as they are", () =>
    Effect.gen(function* () {
      const { audio, directory, info, video } = yield* parts
      const fs = yield* FileSystem.FileSystem
      const target = `${directory}/whole.mp4`
      yield* fs.writeFile(target, yield* taken({ video, audio }))
      const whole = yield* (yield* Probe).probe(target)
      assert.strictEqual(whole.container, "mov")
      assert.deepInclude(whole.video, { codec: "h264", width: 1920, height: 1080, fps: 24 })
      assert.deepStrictEqual(
        whole.audio.map(({ codec }) => codec),
        ["aac"]
      )
      assert.closeTo(whole.duration, info.duration, 0.1)
      assert.closeTo(whole.video?.startTime ?? -1, whole.audio[0]?.startTime ?? -2, 0.05)
    })
  )

  it.effect("a file that is not media ends the stream with the tool's words", () =>
    Effect.gen(function* () {
      const { audio, directory } = yield* parts
      const fs = yield* FileSystem.FileSystem
      const video = `${directory}/text.mp4`
      yield* fs.writeFileString(video, "no video at all")
      const failure = yield* Effect.flip(taken({ video, audio }))
      assert.deepInclude(failure, { _tag: "FfmpegFailed", reason: "exit" })
      assert.match(failure.message, /Invalid data/)
    })
  )

  it.effect("the tool is gone as soon as nobody takes its bytes", () =>
    Effect.gen(function* () {
      const { audio, directory, video } = yield* parts
      const first = Effect.flatMap(Mux, (mux) => Effect.flatMap(mux.mux({ video, audio }), ({ next }) => next))
      assert.isAbove((yield* Effect.scoped(first))?.length ?? 0, 0)
      assert.strictEqual(processesWith(directory), 0)
      // Taken and held: nobody reads on.
      const held = yield* Effect.forkChild(Effect.scoped(Effect.andThen(first, Effect.never)))
      yield* Effect.sync(() => processesWith(directory)).pipe(Effect.repeat({ until: (count) => count > 0 }))
      yield* Fiber.interrupt(held)
      assert.strictEqual(processesWith(directory), 0)
    })
  )
})
