import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { Effect, Layer, Option, type Redacted } from "effect"
import { type Configuration, KinoraConfig } from "../platform/config/Config.ts"
import { leftBehind } from "../platform/folders/LeftBehind.ts"
import { usableFolder } from "../platform/folders/UsableFolder.ts"

/** The database a configuration names: an external one by its address, or the embedded one in the data folder. */
export const databaseLayer = Layer.unwrap(
  KinoraConfig.use((config) =>
    Effect.succeed(
      Option.match(config.derived.databaseUrl, {
        onSome: (url) => clientLayer(config, url),
        onNone: () =>
          Layer.unwrap(EmbeddedPostgres.use(({ url }) => Effect.succeed(clientLayer(config, url)))).pipe(
            Layer.provide(embeddedLayer(config))
          )
      })
    )
  )
)

const clientLayer = (config: Configuration, url: Redacted.Redacted) =>
  Database.layer({ url, maxConnections: config.database.pool.max, applicationName: "kinora command" })

const embeddedLayer = (config: Configuration) =>
  Layer.unwrap(
    Effect.as(
      Effect.andThen(usableFolder(config.derived.dataDir), usableFolder(config.storage.logs)),
      EmbeddedPostgres.layer({
        directory: join(config.derived.dataDir, "postgres"),
        logsDirectory: config.storage.logs,
        leftBehind: leftBehind(config)
      })
    )
  )

/** Where the dump before an upgrade is written. */
export const backupsDirectory = (config: Configuration): string => join(config.derived.dataDir, "backups")
