import { NodeServices } from "@effect/platform-node"
import { assert, beforeAll, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { isDeepStrictEqual } from "node:util"
import { serverConfigWire } from "../../../src/instance/about/ServerConfigWire.ts"
import { flatKeys } from "../../../src/platform/config/Keys.ts"
import { missingFeatureOf, withoutReader } from "../../../src/platform/config/WithoutReader.ts"
import { readersOfKeys } from "./KeyReaders.ts"
import { configure } from "./Sources.ts"

/** What the node passes on in `GET /config` and clients do by themselves. */
const actedOnByClients = [
  "client.videos.",
  "theme.default",
  "broadcast_message.",
  "open_telemetry.metrics.playback_stats_interval",
  "instance.default_client_route",
  "instance.is_nsfw",
  "defaults.p2p.embed.enabled",
  "trending.videos.algorithms.",
  "views.videos.watching_interval."
]

/** Groups whose keys are read by computed names, with the file that does it. */
const readByName: Readonly<Record<string, string>> = {
  "live.transcoding.resolutions": "live/settings/LiveSettings.ts",
  "object_storage.avatars": "platform/config/ObjectStorage.ts",
  "object_storage.captions": "platform/config/ObjectStorage.ts",
  "object_storage.original_video_files": "platform/config/ObjectStorage.ts",
  "object_storage.staged_uploads": "platform/config/ObjectStorage.ts",
  "object_storage.storyboards": "platform/config/ObjectStorage.ts",
  "object_storage.streaming_playlists": "platform/config/ObjectStorage.ts",
  "object_storage.thumbnails": "platform/config/ObjectStorage.ts",
  "object_storage.torrents": "platform/config/ObjectStorage.ts",
  "object_storage.uploads": "platform/config/ObjectStorage.ts",
  "object_storage.user_exports": "platform/config/ObjectStorage.ts",
  "object_storage.user_imports": "platform/config/ObjectStorage.ts",
  "object_storage.web_videos": "platform/config/ObjectStorage.ts",
  rates_limit: "app/HttpSettings.ts",
  "transcoding.crf": "video/process/ProcessingSettings.ts",
  "transcoding.resolutions": "instance/about/ServerConfigWire.ts"
}

const announcement = "instance/about/ServerConfigWire.ts"

let readers: ReadonlyMap<string, ReadonlySet<string>> = new Map()

beforeAll(() => {
  readers = readersOfKeys()
}, 180_000)

const isReadByName = (path: string): boolean =>
  Object.entries(readByName).some(([group, file]) => path.startsWith(`${group}.`) && readers.get(group)?.has(file))

it("every key has a reader, or stands in the list of those without", () => {
  const wrong = flatKeys.flatMap(({ path }) => {
    const files = [...(readers.get(path) ?? [])]
    const isRead = files.length > 0 || isReadByName(path)
    if (missingFeatureOf(path) !== undefined) {
      return files.length === 0 ? [] : [`${path} is listed in WithoutReader.ts, but read by ${files.join(", ")}`]
    }
    if (!isRead) return [`${path} is read nowhere and missing from WithoutReader.ts`]
    const isOnlyAnnounced = files.length > 0 && files.every((file) => file === announcement)
    return isOnlyAnnounced && !actedOnByClients.some((prefix) => path.startsWith(prefix))
      ? [`${path} is announced to clients and read nowhere else`]
      : []
  })
  assert.deepStrictEqual(wrong, [])
})

it("the list names keys that exist, each once", () => {
  const covered = withoutReader.flatMap(({ keys }) => keys)
  for (const key of covered) {
    assert.isTrue(
      flatKeys.some(({ path }) => path === key || path.startsWith(`${key}.`)),
      `${key} is no configuration key`
    )
  }
  assert.strictEqual(new Set(covered).size, covered.length)
  for (const { keys, switch: on } of withoutReader) {
    if (on !== undefined)
      assert.isTrue(
        keys.some((key) => on === key || on.startsWith(`${key}.`)),
        on
      )
  }
})

/** One of them is a value for any key that is not its default. */
const samples = [
  "true",
  "false",
  "another",
  "/another",
  "42",
  "9 hours",
  "https://another.example/",
  "[]",
  '[{"width":1,"height":1}]'
]

const isOther = (key: (typeof flatKeys)[number]["key"], sample: string): boolean => {
  const value = key.kind.read(sample)
  return Result.isSuccess(value) && !isDeepStrictEqual(value, key.kind.read(key.written))
}

it.layer(NodeServices.layer)("a setting without a reader", (it) => {
  it.effect("is never taken in silence, whichever it is, and changes nothing of what /config says", () =>
    Effect.gen(function* () {
      const announced = serverConfigWire((yield* configure({})).config)
      for (const { feature, keys, switch: on } of withoutReader) {
        const own = flatKeys.filter(({ path }) =>
          on === undefined ? keys.some((key) => path === key || path.startsWith(`${key}.`)) : path === on
        )
        const settings = Object.fromEntries(
          own.map(({ env, key, path }) => {
            const other = samples.find((sample) => isOther(key, sample))
            assert.isDefined(other, `${path}: no sample fits`)
            return [env, other!]
          })
        )
        const { config } = yield* configure(settings)
        for (const { path } of own) {
          const warned = config.derived.warnings.some(
            (it) => it.startsWith(`${path} `) && it.includes(`Kinora has no ${feature} yet`)
          )
          assert.isTrue(warned, path)
        }
        assert.deepStrictEqual(serverConfigWire(config), announced)
      }
    })
  )

  it.effect("is warned of when it is switched on, and not when it only repeats the default", () =>
    Effect.gen(function* () {
      const { config } = yield* configure({
        KINORA_VIDEO_STUDIO_ENABLED: "yes",
        KINORA_GEO_IP_ENABLED: "off",
        KINORA_THUMBNAILS_SIZES: '[{"width":280,"height":157},{"width":850,"height":480}]'
      })
      assert.deepStrictEqual(config.derived.warnings, [
        "video_studio.enabled (environment, KINORA_VIDEO_STUDIO_ENABLED) has no effect: Kinora has no video studio yet"
      ])
      const wire = serverConfigWire(config)
      assert.isFalse(wire.videoStudio.enabled || wire.videoTranscription.enabled)
    })
  )
})
