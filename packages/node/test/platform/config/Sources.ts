import { ConfigProvider, Effect, FileSystem, Option, Path } from "effect"
import { ConfigFile, KinoraConfig } from "../../../src/platform/config/Config.ts"

/** The configuration that the given environment and file lead to, and the folder they stand in. */
export const configure = Effect.fnUntraced(function* (env: Record<string, string>, yaml?: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const file = path.join(folder, "kinora.yaml")
  if (yaml !== undefined) yield* fs.writeFileString(file, yaml)
  const provider = ConfigProvider.fromEnv({ env: { KINORA_DATA_DIR: folder, ...env } })
  const config = yield* KinoraConfig.use(Effect.succeed).pipe(
    Effect.provide(KinoraConfig.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, provider),
    Effect.provideService(ConfigFile, yaml === undefined ? Option.none() : Option.some(file))
  )
  return { config, folder, file }
})
