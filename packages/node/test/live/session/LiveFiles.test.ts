import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import type { LivePart } from "@kinora/media/live/Fragmenting"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import { initName, partName, segmentName } from "@kinora/media/live/SegmentNames"
import { layer as diskObjectStore } from "@kinora/storage/platform/objects/DiskObjectStore"
import { type Bucket, buckets } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { LiveFiles } from "../../../src/live/session/LiveFiles.ts"
import { packagingOf } from "../../../src/live/session/Packaging.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { LiveParts } from "../../../src/video/file/LiveParts.ts"
import { LivePlaylists } from "../../../src/video/file/LivePlaylists.ts"

const uuid = randomUUID()
const token = "token"
const own: LiveOutput = {
  ...{ resolution: 360, width: 640, height: 360, fps: 25 },
  ...{ picture: "copy", codec: "h264", sound: "none" }
}
const settings = { container: "mpegts", lowLatency: true, remoteRunners: false } as const

/** A folder of a recording, and the files of a live whose window is three seconds. */
const begun = Effect.fnUntraced(function* (keep: boolean) {
  const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
  const live = {
    uuid,
    privacy: 1,
    token,
    window: 3,
    keep,
    packaging: packagingOf(settings, 3, [own]),
    segmentSeconds: 1
  }
  const files = (yield* LiveFiles).of(live, [own])
  const init = (run: number) => ({ path: `${directory}/${initName(`${token}-${run}`, 360)}`, codecs: ["avc1.64001f"] })

  const part = (run: number, number: number, text: string): LivePart => ({
    ...{ resolution: 360, segment: Math.floor(number / 2), seconds: 0.5, independent: number % 2 === 0 },
    ...{ name: partName(`${token}-${run}`, 360, number), next: partName(`${token}-${run}`, 360, number + 1) },
    bytes: Buffer.from(text),
    init: init(run)
  })
  /** Two parts, and the segment that they make up. */
  const segment = Effect.fnUntraced(function* (run: number, number: number) {
    for (const nth of [0, 1]) yield* files.addPart(part(run, 2 * number + nth, `${run}.${number}.${nth};`), 0)
    const path = `${directory}/${segmentName(`${token}-${run}`, 360, number, "fmp4")}`
    writeFileSync(path, `${run}.${number}.0;${run}.${number}.1;`)
    yield* files.add({ resolution: 360, number, path, seconds: 1, init: init(run) }, 0, number === 0)
    yield* files.publish
  })
  const run = (number: number) => writeFileSync(init(number).path, `init ${number}`)
  return { directory, files, part, run, segment }
})

const served = Effect.gen(function* () {
  const objects = yield* ObjectStore
  const found = yield* Stream.runCollect(objects.list("streaming_playlists"))
  return [...found].map(({ key }) => key.name.split("/")[1]!).toSorted()
})

const services = Layer.unwrap(
  Effect.gen(function* () {
    const root = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
    const directories = Object.fromEntries(buckets.map((bucket) => [bucket, `${root}/${bucket}`]))
    return Layer.mergeAll(
      LivePlaylists.layer,
      LiveParts.layer,
      diskObjectStore({ directories: directories as Record<Bucket, string> })
    )
  })
)

layer(
  LiveFiles.layer.pipe(
    Layer.provideMerge(services),
    Layer.provide(KinoraConfig.layerTest()),
    Layer.provideMerge(NodeServices.layer)
  )
)("LiveFiles", (it) => {
  it.effect("serves parts from memory, then out of their segment, and forgets those that are old", () =>
    Effect.gen(function* () {
      const parts = yield* LiveParts
      const { files, part, run, segment } = yield* begun(false)
      run(1)
      yield* files.addPart(part(1, 0, "1.0.0;"), 0)
      const name = part(1, 0, "").name
      assert.deepStrictEqual(yield* parts.read(uuid, name), { bytes: Buffer.from("1.0.0;") })
      assert.deepStrictEqual(yield* served, [initName("token-1", 360)])
      yield* segment(1, 0).pipe(Effect.andThen(segment(1, 1)))
      const second = part(1, 3, "")
      const place = yield* parts.read(uuid, second.name)
      assert.isTrue(place !== undefined && "key" in place)
      if (place === undefined || "bytes" in place) return
      const { key, length, start } = place
      const bytes = (yield* ObjectStore).openRead(key, { start, end: start + length - 1 })
      assert.strictEqual(yield* bytes.pipe(Stream.decodeText(), Stream.mkString), "1.1.1;")
      for (let number = 2; number < 20; number++) yield* segment(1, number)
      assert.isUndefined(yield* parts.read(uuid, name))
      yield* files.close
      // Nothing follows: the part that was announced does not come.
      assert.isUndefined(yield* parts.read(uuid, part(1, 40, "").name))
      yield* files.remove
      assert.deepStrictEqual(yield* served, [])
    })
  )

  it.effect("keeps what a replay needs, and serves an initialization section as long as its segments", () =>
    Effect.gen(function* () {
      const playlists = yield* LivePlaylists
      const { directory, files, part, run, segment } = yield* begun(true)
      run(1)
      yield* segment(1, 0)
      yield* segment(1, 1)
      // This part leads to nothing: its run breaks off.
      yield* files.addPart(part(1, 4, "1.2.0;"), 0)
      run(2)
      yield* segment(2, 0)
      assert.includeMembers([...(yield* served)], [initName("token-1", 360), initName("token-2", 360)])
      const text = (yield* playlists.read(uuid, "token-360.m3u8")) ?? ""
      assert.include(text, `#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="${initName("token-2", 360)}"`)
      const place = yield* (yield* LiveParts).read(uuid, part(2, 0, "").name)
      assert.isTrue(place !== undefined && "key" in place && place.start === 0)
      for (let number = 1; number < 40; number++) yield* segment(2, number)
      const left = yield* served
      assert.notInclude(left, initName("token-1", 360))
      assert.include(left, initName("token-2", 360))
      const recorded = readdirSync(directory)
      assert.strictEqual(recorded.filter((name) => name.endsWith(".m4s")).length, 42)
      assert.strictEqual(recorded.filter((name) => name.endsWith("-init.mp4")).length, 2)
      assert.isFalse(recorded.some((name) => name.endsWith(".served")))
      yield* files.remove
      assert.deepStrictEqual(yield* served, [])
      assert.isUndefined(yield* playlists.read(uuid, "token-360.m3u8"))
    })
  )
})
