import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { readSamples } from "@kinora/media/hls/Mp4Samples"
import { ladder } from "@kinora/media/ladder/Ladder"
import { Cut } from "@kinora/media/parts/Cut"
import { videoOrder, audioOrder } from "@kinora/media/parts/PartOrders"
import { Probe } from "@kinora/media/probe/Probe"
import { HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { createReadStream } from "node:fs"
import { Clips, MediaTest } from "../../../packages/media/test/support/MediaTest.ts"
import { RunnerServer } from "../../src/server/RunnerServer.ts"
import { Encoders } from "../../src/work/Encoders.ts"
import { LiveJobWork } from "../../src/work/LiveJobWork.ts"
import { JobWork } from "../../src/work/JobWork.ts"
import { type Received, serve } from "../server/Protocol.ts"
import { testConfig } from "../support/TestConfig.ts"

/** It says that there is a hardware encoder where there is none: every encode fails with it, and is done in software. */
const hardware = Layer.succeed(HardwareEncoders)({
  search: () => Effect.succeed([{ encoder: { name: "h264_vaapi" as const }, works: true, words: "" }])
})

const services = JobWork.layer.pipe(
  Layer.provide(LiveJobWork.layer),
  Layer.provideMerge(Encoders.layer),
  Layer.provide([hardware, testConfig("/nowhere", { hardware: "vaapi" })]),
  Layer.provide(RunnerServer.layer),
  Layer.provide(NodeHttpClient.layerNodeHttp),
  Layer.provideMerge(MediaTest)
)

const uuid = "2732f206-0539-45af-a82b-66098d1bc26b"
const file = (name: string) => `http://itself:9000/api/v1/runners/jobs/${uuid}/files/videos/1/${name}`

/** Does a job of which these are the inputs, in the order they are asked for; gives what the server would get. */
const work = (type: string, payload: unknown, ...inputs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { origin } = yield* serve(
      ...inputs.map((path) => (_: Received, response: import("node:http").ServerResponse) => {
        createReadStream(path).pipe(response)
      })
    )
    const path = yield* (yield* Clips).folder
    const job = { origin, uuid, runnerToken: "r", jobToken: "j", type, payload }
    return yield* (yield* JobWork).make(job, { path, reserve: () => Effect.void }, () => Effect.void)
  })

const streams = (path: string) =>
  Effect.gen(function* () {
    const { audio, video } = yield* (yield* Probe).probe(path)
    return [video === undefined ? undefined : Math.min(video.width, video.height), audio.length]
  })

layer(services, { excludeTestServices: true, timeout: 60_000 })("The work of a job", (it) => {
  it.effect("is the pictures of a range, or the sound, of what was cut out of a video", () =>
    Effect.gen(function* () {
      const clip = yield* (yield* Clips).clip("odd.mp4")
      const folder = yield* (yield* Clips).folder
      const info = yield* (yield* Probe).probe(clip)
      const cut = `${folder}/cut.nut`
      yield* (yield* Cut).cut({ source: clip, path: cut, stream: "v:0" })
      const input = { videoFileUrl: file("max-quality") }
      const [rendition] = ladder(info, { resolutions: [144], alwaysTranscodeOriginalResolution: false, maxFps: 60 })
      const part = { first: 0, early: true, last: true, frames: [40], cut: { from: 0, seek: 0, to: 2 } }
      const output = videoOrder(part, info.video!, [rendition!], "ultrafast")
      const [made, ...none] = yield* work(vodPartJobType, { input, output }, cut)
      assert.deepStrictEqual([none, made!.field], [[], "payload[videoFile]"])
      const [track] = yield* readSamples(made!.path, 100)
      assert.deepStrictEqual([track!.type, track!.height, track!.sizes.length], ["avc1", 144, 40])

      const sound = `${folder}/sound.nut`
      yield* (yield* Cut).cut({ source: clip, path: sound, stream: "a:0" })
      const [heard] = yield* work(vodPartJobType, { input, output: audioOrder(info.audio[0]!, info.duration) }, sound)
      assert.deepStrictEqual(yield* streams(heard!.path), [undefined, 1])

      const other = { ...output, preset: "; rm" }
      const refused = yield* Effect.flip(work(vodPartJobType, { input, output: other }))
      assert.strictEqual(refused._tag, "CannotWork")
    }).pipe(Effect.scoped)
  )

  it.effect("is an mp4, or HLS with the sound inside or apart", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const clip = yield* (yield* Clips).clip("odd.mp4")
      const input = { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] }
      const output = { resolution: 144, fps: 25 }
      const [web, ...none] = yield* work("vod-web-video-transcoding", { input, output }, clip)
      assert.deepStrictEqual([none, web!.field, yield* streams(web!.path)], [[], "payload[videoFile]", [144, 1]])

      const [film, playlist] = yield* work("vod-hls-transcoding", { input, output }, clip)
      assert.deepStrictEqual(yield* streams(film!.path), [144, 1])
      assert.strictEqual(playlist!.field, "payload[resolutionPlaylistFile]")
      assert.include(yield* fs.readFileString(playlist!.path), `URI="${uuid}-144-fragmented.mp4"`)

      const apart = { ...output, separatedAudio: true }
      const [picture] = yield* work("vod-hls-transcoding", { input, output: apart }, clip)
      const [sound] = yield* work("vod-hls-transcoding", { input, output: { ...apart, resolution: 0, fps: 0 } }, clip)
      assert.deepStrictEqual(
        [yield* streams(picture!.path), yield* streams(sound!.path)],
        [
          [144, 0],
          [undefined, 1]
        ]
      )

      const both = { ...input, separatedAudioFileUrl: [file("max-quality/audio")] }
      const joined = yield* work("vod-web-video-transcoding", { input: both, output }, picture!.path, sound!.path)
      assert.deepStrictEqual(yield* streams(joined[0]!.path), [144, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("is a picture with its sound, and a sheet of the sizes that are asked for", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const clips = yield* Clips
      const clip = yield* clips.clip("odd.mp4")
      const input = { videoFileUrl: file("max-quality") }
      const sprites = { size: { width: 64, height: 48 }, count: { width: 2, height: 1 }, duration: 1 }
      const [sheet] = yield* work("generate-video-storyboard", { input, sprites, output: {} }, clip)
      assert.deepStrictEqual([...(yield* fs.readFile(sheet!.path)).slice(0, 2)], [0xff, 0xd8])

      const sound = yield* work(
        "vod-hls-transcoding",
        { input, output: { resolution: 0, fps: 0, separatedAudio: true } },
        clip
      )
      const merge = { audioFileUrl: file("max-quality"), previewFileUrl: file("thumbnails/max-quality") }
      const [film] = yield* work(
        "vod-audio-merge-transcoding",
        { input: merge, output: { resolution: 144, fps: 5 } },
        sound[0]!.path,
        sheet!.path
      )
      assert.deepStrictEqual(yield* streams(film!.path), [144, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("encodes in software what a hardware encoder fails at, before anybody is told", () =>
    Effect.gen(function* () {
      const encoders = yield* Encoders
      yield* encoders.find
      assert.deepStrictEqual(yield* encoders.current, { name: "h264_vaapi" })
      const clip = yield* (yield* Clips).clip("odd.mp4")
      const input = { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] }
      const [film] = yield* work("vod-web-video-transcoding", { input, output: { resolution: 144, fps: 25 } }, clip)
      assert.deepStrictEqual(yield* streams(film!.path), [144, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("gives the job back when the disk is full", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const clips = yield* Clips
      const clip = yield* clips.clip("odd.mp4")
      const { origin } = yield* serve((_, response) => void createReadStream(clip).pipe(response))
      const path = yield* clips.folder
      // Whatever is written there finds no room.
      yield* fs.symlink("/dev/full", `${path}/source`)
      const input = { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] }
      const payload = { input, output: { resolution: 144, fps: 25 } }
      const job = { origin, uuid, runnerToken: "r", jobToken: "j", type: "vod-web-video-transcoding", payload }
      const made = (yield* JobWork).make(job, { path, reserve: () => Effect.void }, () => Effect.void)
      const error = yield* Effect.flip(made)
      assert.strictEqual(error._tag, "CannotWork", error.message)
    }).pipe(Effect.scoped)
  )

  it.effect("fails with the words of the tool, and gives back what is not understood", () =>
    Effect.gen(function* () {
      const input = { videoFileUrl: file("max-quality") }
      const output = { resolution: 144, fps: 25 }
      const words = yield* Effect.flip(work("vod-web-video-transcoding", { input, output }, import.meta.filename))
      assert.strictEqual(words._tag, "WorkFailed")
      assert.notInclude(words.message, "/")
      assert.strictEqual((yield* Effect.flip(work("vod-web-video-transcoding", { input })))._tag, "CannotWork")
      assert.strictEqual((yield* Effect.flip(work("video-transcription", { input })))._tag, "CannotWork")
      const elsewhere = { input: { videoFileUrl: "http://127.0.0.1:1/secret" }, output }
      assert.strictEqual((yield* Effect.flip(work("vod-web-video-transcoding", elsewhere)))._tag, "ServerRefused")
    }).pipe(Effect.scoped)
  )
})
