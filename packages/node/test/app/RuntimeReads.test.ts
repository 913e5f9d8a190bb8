import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { TestDatabase } from "../../../storage/test/support/TestDatabase.ts"
import { Program } from "../../src/app/App.ts"
import { customSettings } from "../../src/instance/settings/CustomConfigKeys.ts"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { freePort } from "../support/KinoraProcess.ts"
import type { Configuration } from "../../src/platform/config/Configuration.ts"

/** Files that read a setting at the start and again after each change, or for a message of the start alone. */
const readers = [
  "federation/activitypub/ActorTasks.ts",
  "instance/about/FirstStart.ts",
  "live/ingest/RtmpTask.ts",
  "live/ingest/SrtTask.ts",
  "live/ingest/WhipTask.ts",
  "people/registration/SignupPolicy.ts",
  "people/user/Users.ts",
  "platform/jobs/Workers.ts",
  "runner/RunnerTasks.ts",
  "runner/local/LocalRunner.ts",
  "video/import/ImportServices.ts",
  "video/process/CodecWarnings.ts",
  "video/process/EncodeSlots.ts",
  "app/ProcessingLayer.ts"
]

const settings = new Set(customSettings.map(({ path }) => path))

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The first file of ours on the stack that uses the setting: services of settings only pass it on. */
const reader = (): string => {
  const line = (new Error().stack ?? "")
    .split("\n")
    .find((it) => it.includes("/packages/node/src/") && !it.includes("Settings.ts"))
  return line?.replace(/.*\/packages\/node\/src\//, "").replace(/:.*/, "") ?? "unknown"
}

/** The tree, noting who reads settings. */
const watched = (
  node: Record<string, unknown>,
  path: string,
  seen: Map<string, Set<string>>
): Record<string, unknown> =>
  new Proxy(node, {
    get: (target, name) => {
      const value = target[String(name)]
      const here = path === "" ? String(name) : `${path}.${String(name)}`
      if (isGroup(value)) return watched(value, here, seen)
      if (settings.has(here)) seen.set(here, (seen.get(here) ?? new Set()).add(reader()))
      return value
    }
  })

it.live(
  "no service takes a setting out of the configuration when it is built",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-reads-" })
      const { config } = yield* PgClient
      const seen = new Map<string, Set<string>>()
      const overrides = {
        data_dir: folder,
        database: { url: Redacted.value(config.url ?? Redacted.make("")) },
        listen: { port: yield* Effect.promise(freePort) },
        secrets: { peertube: "a secret of the tests, long enough" },
        federation: { only_loopback: true }
      }
      const configuration = yield* Layer.build(KinoraConfig.layerTest(overrides))
      const tree = Context.get(configuration, KinoraConfig) as unknown as Record<string, unknown>
      const tracked = Context.add(configuration, KinoraConfig, watched(tree, "", seen) as unknown as Configuration)
      yield* Layer.build(Layer.provide(Program, Layer.succeedContext(tracked)))
      const early = [...seen].flatMap(([path, files]) =>
        [...files].filter((file) => !readers.includes(file)).map((file) => `${path} in ${file}`)
      )
      assert.deepStrictEqual(early.toSorted(), [])
    }).pipe(Effect.scoped, Effect.provide([TestDatabase, NodeServices.layer])),
  60_000
)
