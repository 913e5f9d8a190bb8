import { ConfigProvider, Context, Effect, FileSystem, Layer, Option, Path, Result } from "effect"
import { ConfigInvalid } from "./ConfigInvalid.ts"
import { decode, type Settled } from "./Decode.ts"
import type { Configuration, ConfigSources } from "./Configuration.ts"
import { derive } from "./Derived.ts"
import { readEnvironment } from "./EnvironmentSource.ts"
import { readFile } from "./FileSource.ts"
import { findIneffective } from "./Ineffective.ts"
import { type ConfigTree, flatKeys } from "./Keys.ts"
import { objectStorageProblems } from "./ObjectStorage.ts"
import { makeRuntimeConfig, RuntimeConfig } from "./RuntimeConfig.ts"
import type { Source } from "./Source.ts"

/** The file named on the command line, if any. Set by the entry point. */
export const ConfigFile = Context.Reference<Option.Option<string>>("@kinora/node/config/ConfigFile", {
  defaultValue: () => Option.none()
})

/** Paths in the tree become absolute; keys whose default depends on others take it. */
const settle = (settled: Settled, path: Path.Path, warnings: ReadonlyArray<string>): Configuration => {
  const { set, tree } = settled
  const dataDir = path.resolve(tree.data_dir)
  const storage = Object.fromEntries(
    Object.entries(tree.storage).map(([name, folder]) => [name, path.resolve(dataDir, folder)])
  ) as unknown as ConfigTree["storage"]
  const port = set.has("webserver.port") ? tree.webserver.port : tree.webserver.https ? 443 : tree.listen.port
  const config: ConfigTree = { ...tree, storage, webserver: { ...tree.webserver, port } }
  return { ...config, derived: derive(config, dataDir, warnings) }
}

const sourceUnreadable = (path: string, origin: string, problem: string) =>
  new ConfigInvalid({ problems: [{ path, origin, problem, accepts: undefined }] })

/** The file to read: the named one must exist, the usual places may be empty. */
const locate = Effect.fnUntraced(function* (environment: Source) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const provider = yield* ConfigProvider.ConfigProvider
  const fromOption = yield* ConfigFile
  const fromEnvironment = yield* Effect.orDie(provider.load(["KINORA_CONFIG"]))
  const named = Option.getOrElse(fromOption, () => fromEnvironment?.value)
  if (named !== undefined) return { file: named }
  const dataDir = environment.values.get("data_dir")?.value
  const usual = [path.join(typeof dataDir === "string" ? dataDir : "data", "kinora.yaml"), "config/kinora.yaml"]
  for (const file of usual) {
    if (yield* Effect.orElseSucceed(fs.exists(file), () => false)) return { file }
  }
  return undefined
})

/** Reads every source: the configuration, what they set, and the file that was read. */
export const loadConfiguration = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const provider = yield* ConfigProvider.ConfigProvider
  const environment = yield* Effect.mapError(readEnvironment(provider), (error) =>
    sourceUnreadable("the environment", "environment", error.message)
  )
  const located = yield* locate(environment)
  const file =
    located === undefined
      ? undefined
      : yield* fs.readFileString(located.file).pipe(
          Effect.mapBoth({
            onSuccess: (content) => readFile(located.file, content),
            onFailure: (error) => sourceUnreadable("the file", located.file, error.reason.message)
          })
        )
  const sources = file === undefined ? [environment] : [file, environment]
  const settled = yield* Effect.fromResult(decode(sources))
  const problems = objectStorageProblems(settled)
  if (problems.length > 0) return yield* new ConfigInvalid({ problems })
  const warnings = [...sources.flatMap((source) => source.warnings), ...findIneffective(settled.set)]
  return {
    config: settle(settled, path, warnings),
    set: settled.set,
    file: located?.file,
    sources: { file, environment }
  }
})

/** The configuration, and what changes it while the process runs. */
const both = Effect.fnUntraced(function* (config: Configuration, sources: ConfigSources) {
  const runtime = yield* makeRuntimeConfig(config, sources)
  return Context.make(KinoraConfig, config).pipe(Context.add(RuntimeConfig, runtime))
})

/** Overrides for tests, nested as in the YAML file and in the form people write. */
export type Overrides = { readonly [name: string]: unknown }

const flattenOverrides = (overrides: Overrides, prefix = ""): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(overrides).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? flattenOverrides(value as Overrides, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value] as const]
  )

/**
 * The configuration of this process.
 * Later sources win: defaults, one YAML file (`--config`, `KINORA_CONFIG`, `<data_dir>/kinora.yaml` or
 * `./config/kinora.yaml`), settings of administrators (`RuntimeConfig`), environment (`KINORA_` and the path in capitals;
 * `DATABASE_URL`, `REDIS_URL`).
 *
 * The tree is live: `RuntimeConfig` changes leaves in place. Take groups from it when a service is built, and read a leaf
 * each time it is used. `RuntimeReads.test.ts` finds leaves that were read too early.
 */
export class KinoraConfig extends Context.Service<KinoraConfig, Configuration>()("@kinora/node/config/KinoraConfig") {
  static readonly layer = Layer.effectContext(
    Effect.flatMap(loadConfiguration, ({ config, sources }) => both(config, sources))
  )

  /** Defaults with the given overrides; reads neither files nor the environment. Wrong overrides are defects. */
  static readonly layerTest = (overrides: Overrides = {}): Layer.Layer<KinoraConfig | RuntimeConfig> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const path = yield* Path.Path
        const values = new Map(
          flattenOverrides(overrides).map(([name, value]) => [name, { value, origin: "test" }] as const)
        )
        for (const name of values.keys()) {
          if (!flatKeys.some((flat) => flat.path === name))
            return yield* Effect.die(`no such configuration key: ${name}`)
        }
        const file: Source = { values, warnings: [], problems: [] }
        const environment: Source = { values: new Map(), warnings: [], problems: [] }
        const config = settle(Result.getOrThrow(decode([file])), path, [])
        return yield* both(config, { file, environment })
      }).pipe(Effect.provide(Path.layer))
    )
}
