import { assert, layer } from "@effect/vitest"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import { segmentName } from "@kinora/media/live/SegmentNames"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { S3Setup, S3Store } from "../../../../storage/test/support/objects/S3Store.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { LiveFiles } from "../../../src/live/session/LiveFiles.ts"
import { packagingOf } from "../../../src/live/session/Packaging.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { LiveParts } from "../../../src/video/file/LiveParts.ts"
import { LivePlaylists } from "../../../src/video/file/LivePlaylists.ts"

const own: LiveOutput = {
  ...{ resolution: 360, width: 640, height: 360, fps: 25 },
  ...{ picture: "copy", codec: "h264", sound: "none" }
}
const packaging = packagingOf({ container: "mpegts", lowLatency: false, remoteRunners: false }, 3, [own])

/** The files of a live, whose window is three seconds, and what adds a segment of one second. */
const begun = Effect.gen(function* () {
  const { folder } = yield* S3Setup
  const uuid = randomUUID()
  const live = { uuid, privacy: 1, token: "token", window: 3, keep: false, packaging, segmentSeconds: 1 }
  const files = (yield* LiveFiles).of(live, [own])
  const name = (number: number) => segmentName("token", 360, number, "mpegts")
  const key = (number: number) => ({ bucket: "streaming_playlists", name: hlsName(uuid, name(number)) }) as const
  const add = Effect.fnUntraced(function* (number: number) {
    const path = join(folder, name(number))
    writeFileSync(path, `segment ${number}`)
    yield* files.add({ resolution: 360, number, path, seconds: 1 }, number * 1000, number === 0)
    yield* files.publish
  })
  return { files, key, add }
})

const placeOf = (key: Parameters<ObjectStore["Service"]["place"]>[0]) =>
  Effect.gen(function* () {
    const objects = yield* ObjectStore
    if (Option.isNone(yield* Effect.option(objects.stat(key)))) return "nowhere"
    return (yield* Effect.orDie(objects.place(key)))._tag
  })

const stored = LiveFiles.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(LivePlaylists.layer, LiveParts.layer)),
  Layer.provideMerge(S3Store),
  Layer.provideMerge(TestDatabase)
)
const onDisk = KinoraConfig.layerTest({ object_storage: { streaming_playlists: { store_live_streams: false } } })

layer(stored.pipe(Layer.provide(KinoraConfig.layerTest())), { excludeTestServices: true })(
  "lives in object storage",
  (it) => {
    it.effect("are written there segment by segment, and removed some time after they left the window", () =>
      Effect.gen(function* () {
        const { add, files, key } = yield* begun
        for (const number of [0, 1, 2]) yield* add(number)
        assert.strictEqual(yield* placeOf(key(0)), "S3")
        for (let number = 3; number < 45; number++) yield* add(number)
        assert.strictEqual(yield* placeOf(key(0)), "nowhere")
        assert.strictEqual(yield* placeOf(key(44)), "S3")
        yield* files.remove
        assert.strictEqual(yield* placeOf(key(44)), "nowhere")
      })
    )

    it.effect("go on while the storage is away: on disk", () =>
      Effect.gen(function* () {
        const { server } = yield* S3Setup
        const { add, files, key } = yield* begun
        yield* add(0)
        server.proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })
        yield* add(1)
        server.proxy.fault = () => ({ kind: "slow", millis: 60_000 })
        yield* add(2)
        server.proxy.fault = () => undefined
        yield* add(3)
        assert.deepStrictEqual(yield* Effect.forEach([0, 1, 2, 3], (number) => placeOf(key(number))), [
          "S3",
          "Disk",
          "Disk",
          "S3"
        ])
        yield* files.remove
        assert.strictEqual(yield* placeOf(key(1)), "nowhere")
      })
    )
  }
)

layer(stored.pipe(Layer.provide(onDisk)), { excludeTestServices: true })("lives on disk", (it) => {
  it.effect("are not written to object storage", () =>
    Effect.gen(function* () {
      const { add, key } = yield* begun
      yield* add(0)
      assert.strictEqual(yield* placeOf(key(0)), "Disk")
    })
  )
})
