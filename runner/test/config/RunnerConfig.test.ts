import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Option } from "effect"
import { ConfigOverrides, ConfigPath, loadConfig, RunnerConfig } from "../../src/config/RunnerConfig.ts"
import { Registrations } from "../../src/config/Registrations.ts"

const load = (text: string | undefined, environment: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    if (text !== undefined) yield* fs.writeFileString(`${folder}/config.toml`, text)
    const path = text === undefined ? Option.none() : Option.some(`${folder}/config.toml`)
    return yield* loadConfig.pipe(
      Effect.provideService(ConfigPath, path),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromUnknown({ HOME: folder, ...environment })
      ),
      Effect.map((config) => ({ ...config, folder }))
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

it.effect("needs no file: everything has a default", () =>
  Effect.gen(function* () {
    const { concurrency, folder, grace_seconds, media, storage } = yield* load(undefined)
    assert.deepStrictEqual([concurrency, grace_seconds, media.preset, media.threads], [2, 60, "veryfast", 0])
    assert.strictEqual(storage.directory, `${folder}/.local/state/kinora-runner`)
    assert.strictEqual(storage.maxBytes, 100 * 1024 ** 3)
    const unit = yield* load(undefined, { STATE_DIRECTORY: "/var/lib/kinora-runner" })
    assert.strictEqual(unit.storage.directory, "/var/lib/kinora-runner")
    const written = yield* load(
      'job_types = ["generate-video-storyboard"]\n[storage]\ndirectory = "/srv/x"\nmax_gib = 2\n'
    )
    assert.deepStrictEqual(written.job_types, ["generate-video-storyboard"])
    assert.deepInclude(written.storage, { directory: "/srv/x", maxBytes: 2 * 1024 ** 3 })
  })
)

it.effect("takes flags over the file, and checks them like it", () =>
  Effect.gen(function* () {
    const text = 'concurrency = 3\n[media]\nthreads = 2\nhardware = "vaapi"\n'
    const flags = { concurrency: 5, media: { threads: 4 } }
    const { concurrency, media } = yield* Effect.provideService(load(text), ConfigOverrides, flags)
    assert.deepStrictEqual([concurrency, media.threads, media.hardware, media.codec], [5, 4, "vaapi", "h264"])
    const wrong = Effect.provideService(load(text), ConfigOverrides, { media: { threads: -1 } })
    assert.include((yield* Effect.flip(wrong)).message, "  media.threads: ")
    assert.include((yield* Effect.flip(load("media = 1"))).message, "  media: ")
  })
)

it.effect("suggests the key that was meant", () =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(
      load('concurency = 3\npreset = "fast"\nxyzzy_plugh = 1\n[storage]\nmax_gb = 2\n[media]\nthread = 1')
    )
    assert.include(message, "  concurency: unknown key; did you mean concurrency?")
    assert.include(message, "  preset: unknown key; did you mean media.preset?")
    assert.include(message, "  storage.max_gb: unknown key; did you mean storage.max_gib?")
    assert.include(message, "  media.thread: unknown key; did you mean media.threads?")
    assert.match(message, /^ {2}xyzzy_plugh: unknown key$/m)
  })
)

it.effect("names every wrong key at once", () =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(
      load(
        'concurrency = 0\nspeed = 1\njob_types = ["video-studio-transcoding"]\n[storage]\ndirectory = "x"\n[media]\npreset = "best"'
      )
    )
    for (const name of ["concurrency", "speed", "job_types.0", "storage.directory", "media.preset"]) {
      assert.include(message, `  ${name}: `)
    }
    assert.include((yield* Effect.flip(load("concurrency = ["))).message, "is not valid TOML")
  })
)

it.effect("keeps tokens for the owner alone, one entry a server", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/deep/state`
    const config = Layer.succeed(RunnerConfig)({
      ...(yield* load(undefined)),
      storage: { directory, maxBytes: 1, reserveBytes: 0 }
    })
    yield* Effect.gen(function* () {
      const registrations = yield* Registrations
      assert.deepStrictEqual(yield* registrations.all, [])
      yield* registrations.put({ origin: "http://a", name: "a", runnerToken: "1" })
      yield* registrations.put({ origin: "http://b", name: "b", runnerToken: "2" })
      yield* registrations.put({ origin: "http://a", name: "a", runnerToken: "3" })
      yield* registrations.remove("http://b")
      assert.deepStrictEqual(yield* registrations.all, [{ origin: "http://a", name: "a", runnerToken: "3" }])
      assert.sameMembers(yield* fs.readDirectory(directory), ["servers.json", "servers.lock"])
      assert.strictEqual((yield* fs.stat(`${directory}/servers.json`)).mode & 0o777, 0o600)
      yield* fs.writeFileString(`${directory}/servers.json`, "{")
      assert.include((yield* Effect.flip(registrations.all)).message, "servers.json")
    }).pipe(Effect.provide(Registrations.layer.pipe(Layer.provide(config))))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

it.live("loses no entry when many processes register at once, and adds one a server", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = `${yield* fs.makeTempDirectoryScoped()}/state`
    const config = Layer.succeed(RunnerConfig)({
      ...(yield* load(undefined)),
      storage: { directory, maxBytes: 1, reserveBytes: 0 }
    })
    // A list of its own each, as processes have.
    const list = Effect.provide(Registrations, Layer.fresh(Registrations.layer).pipe(Layer.provide(config)), {
      local: true
    })
    const origins = Array.from({ length: 12 }, (_, n) => `http://${n}`)
    yield* Effect.forEach(
      origins,
      (origin) => Effect.flatMap(list, ({ put }) => put({ origin, name: "a", runnerToken: origin })),
      { concurrency: "unbounded" }
    )
    const { add, all } = yield* list
    assert.sameMembers(
      (yield* all).map(({ origin }) => origin),
      origins
    )
    const twice = yield* Effect.all(
      ["1", "2"].map((runnerToken) => add({ origin: "http://new", name: "a", runnerToken })),
      { concurrency: "unbounded" }
    )
    assert.sameMembers(twice, [true, false])
    assert.lengthOf(yield* all, 13)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
