import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Fiber, FileSystem, Layer, Logger, Option } from "effect"
import { writeFileSync } from "node:fs"
import { Clips } from "../../../packages/media/test/support/MediaTest.ts"
import { working } from "../../src/cli/Layers.ts"
import { ConfigPath, RunnerConfig } from "../../src/config/RunnerConfig.ts"
import { Registrations } from "../../src/config/Registrations.ts"
import { start } from "../../src/running/Start.ts"
import { askStatus } from "../../src/running/StatusSocket.ts"
import { RunnerServer } from "../../src/server/RunnerServer.ts"
import { scriptedServer } from "../support/ScriptedServer.ts"

const toml = 'log_level = "Error"\nconcurrency = 1\ngrace_seconds = 0\n[media]\npreset = "ultrafast"\n'

/** The whole program but for its command line, in a storage of its own. */
const program = <A, E, R>(use: Effect.Effect<A, E, R>, media: (directory: string) => string = () => "") =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-start-" })
    yield* fs.writeFileString(
      `${directory}/config.toml`,
      `${toml}${media(directory)}[storage]\ndirectory = "${directory}/state"\n`
    )
    return yield* use.pipe(
      Effect.provide(working),
      Effect.provideService(ConfigPath, Option.some(`${directory}/config.toml`)),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv())
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(Clips.layer, Logger.layer([])).pipe(Layer.provideMerge(NodeServices.layer)))
  )

const until = <A, E, R>(what: string, look: Effect.Effect<A | undefined | false, E, R>) =>
  Effect.gen(function* () {
    for (;;) {
      const found = yield* look
      if (found !== undefined && found !== false) return found
      yield* Effect.sleep("50 millis")
    }
  }).pipe(
    Effect.timeoutOrElse({ duration: Duration.seconds(40), orElse: () => Effect.die(`Not within 40 s: ${what}`) })
  )

const register = Effect.fnUntraced(function* (server: Effect.Success<ReturnType<typeof scriptedServer>>, name: string) {
  const { origin, registrationToken } = server
  const runnerToken = yield* (yield* RunnerServer).register(origin, { registrationToken, name, description: undefined })
  yield* (yield* Registrations).put({ origin, name, runnerToken })
})

const output = { resolution: 144, fps: 25 }

it.live(
  "does what a server of the other make asks, in the words of the protocol",
  () =>
    program(
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const server = yield* scriptedServer(yield* (yield* Clips).clip("odd.mp4"))
        yield* register(server, "one")
        const running = yield* Effect.forkChild(start)
        yield* until(
          "a first question",
          Effect.sync(() => server.asked.length > 1)
        )

        // The bell rings, and a job is done.
        const web = server.add("vod-web-video-transcoding", (file) => ({
          input: { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] },
          output
        }))
        yield* until(
          "the web video",
          Effect.sync(() => web.result)
        )
        assert.deepStrictEqual(web.result?.fields, ["jobToken", "runnerToken", "payload[videoFile]"])
        assert.isAbove(web.result?.files.get("payload[videoFile]")?.size ?? 0, 1000)
        assert.strictEqual(web.said[0], "accept")
        assert.includeMembers(web.said, ["update", "file"])
        // It tells that it is there before it does anything.
        assert.isBelow(web.said.indexOf("update"), web.said.indexOf("success"))

        const studio = server.add("video-studio-transcoding", () => ({ input: { videoFileUrl: "x" }, output: {} }))
        const hls = server.add(
          "vod-hls-transcoding",
          (file) => ({
            input: { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] },
            output: { ...output, separatedAudio: false, videoFileCustomUpload: null }
          }),
          // Another was faster, and gave it back: the bell does not tell.
          { taken: 1 }
        )
        yield* until(
          "HLS",
          Effect.sync(() => hls.result)
        )
        assert.deepStrictEqual(hls.result?.fields.slice(2), ["payload[videoFile]", "payload[resolutionPlaylistFile]"])
        assert.deepStrictEqual(studio.said, [])

        // What it cannot read goes back, with a reason; what is taken away is left without a word.
        const odd = server.add("vod-web-video-transcoding", () => ({ input: {}, output }))
        yield* until(
          "what is not understood to be given back",
          Effect.sync(() => odd.said.includes("abort"))
        )
        const lost = server.add(
          "vod-web-video-transcoding",
          (file) => ({ input: { videoFileUrl: file("max-quality") }, output }),
          { refuseUpdates: true }
        )
        yield* until(
          "the loss to be seen",
          Effect.sync(() => lost.said.includes("update"))
        )

        // A file that is wanted elsewhere goes there, without tokens, and the result comes without it.
        const elsewhere = server.add("vod-hls-transcoding", (file) => ({
          input: { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] },
          output: { ...output, videoFileCustomUpload: { url: `${server.origin}/storage/film?sign=1`, method: "PUT" } }
        }))
        const refused = server.add("vod-hls-transcoding", (file) => ({
          input: { videoFileUrl: file("max-quality"), separatedAudioFileUrl: [] },
          output: { ...output, videoFileCustomUpload: { url: "http://storage.example.org/film" } }
        }))
        yield* until(
          "the result without its film",
          Effect.sync(() => elsewhere.result)
        )
        assert.deepStrictEqual(elsewhere.result?.fields, ["jobToken", "runnerToken", "payload[resolutionPlaylistFile]"])
        const film = server.uploads.get("PUT /storage/film?sign=1")
        assert.strictEqual(film?.body.subarray(4, 8).toString(), "ftyp")
        assert.deepInclude(film?.headers, { "content-type": "video/mp4", "content-length": String(film?.body.length) })
        assert.isFalse(JSON.stringify(film?.headers).includes("ptr"))
        assert.deepStrictEqual(refused.said, [])

        assert.deepStrictEqual(
          lost.said.filter((word) => !["accept", "update", "file"].includes(word)),
          []
        )
        assert.deepStrictEqual(server.violations, [])
        // It was told once of a type that is ours alone.
        assert.strictEqual(server.refusedTypes.length, 1)
        // Its result was taken before it heard of that.
        yield* until(
          "the end of the last job",
          Effect.map(askStatus, (status) => status?.jobs.length === 0)
        )
        yield* Fiber.interrupt(running)
        assert.strictEqual(yield* askStatus, undefined)
        const { storage } = yield* RunnerConfig
        assert.deepStrictEqual(yield* fs.readDirectory(`${storage.directory}/work`), [])
      })
    ),
  120_000
)

it.live(
  "sees servers come and go while it runs",
  () =>
    program(
      Effect.gen(function* () {
        const clip = yield* (yield* Clips).clip("odd.mp4")
        const [one, two] = [yield* scriptedServer(clip), yield* scriptedServer(clip)]
        const registrations = yield* Registrations
        yield* register(one, "one")
        const running = yield* Effect.forkChild(start)
        yield* until(
          "the first to be asked",
          Effect.sync(() => one.asked.length > 1)
        )
        yield* register(two, "two")
        yield* until(
          "the second to be asked",
          Effect.sync(() => two.asked.includes("/api/v1/runners/jobs/request"))
        )
        assert.deepStrictEqual((yield* askStatus)?.servers, [one.origin, two.origin])

        yield* registrations.remove(one.origin)
        yield* until(
          "the first to be left",
          Effect.map(askStatus, (status) => status?.servers.length === 1)
        )
        const before = one.asked.length
        one.io.of("/runners").emit("available-jobs")
        yield* registrations.remove(two.origin)
        yield* until(
          "nothing to be left",
          Effect.map(askStatus, (status) => status?.servers.length === 0)
        )
        // It waits for the next.
        yield* register(two, "two")
        const asked = two.asked.length
        yield* until(
          "the second to be asked again",
          Effect.sync(() => two.asked.length > asked)
        )
        assert.strictEqual(one.asked.length, before)
        assert.deepStrictEqual([...one.violations, ...two.violations], [])
        yield* Fiber.interrupt(running)
      })
    ),
  60_000
)

it.live("does not start with an ffmpeg that lacks the encoder", () =>
  program(
    Effect.gen(function* () {
      yield* (yield* Registrations).put({ origin: "http://127.0.0.1:1", name: "one", runnerToken: "ptrt-1" })
      const error = yield* Effect.flip(start)
      assert.strictEqual(error._tag, "CannotStart")
      assert.include(error.message, "libx265")
    }),
    (directory) => {
      const script = '#!/bin/sh\necho "ffmpeg version 7.0 Copyright (c) 2000-2024 the FFmpeg developers"\n'
      writeFileSync(`${directory}/ffmpeg`, script, { mode: 0o755 })
      return `codec = "hevc"\nffmpeg_path = "${directory}/ffmpeg"\n`
    }
  )
)
