import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { Effect, Layer, Option, type Redacted } from "effect"
import { type Configuration, KinoraConfig } from "../platform/config/Config.ts"

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
  EmbeddedPostgres.layer({
    directory: join(config.derived.dataDir, "postgres"),
    logsDirectory: config.storage.logs
  })

/** Where the dump before an upgrade is written. */
export const backupsDirectory = (config: Configuration): string => join(config.derived.dataDir, "backups")
