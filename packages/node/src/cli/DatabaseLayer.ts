import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { Effect, Layer, Option, type Redacted } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { existingData } from "../platform/folders/ExistingData.ts"
import { restoreFinished } from "../platform/folders/RestoreFinished.ts"
import { usableFolder } from "../platform/folders/UsableFolder.ts"

const configured = (mayBeNew: boolean) =>
  Layer.unwrap(
    KinoraConfig.use((config) =>
      Effect.succeed(
        Option.match(config.derived.databaseUrl, {
          onSome: (url) => clientLayer(config, url),
          onNone: () =>
            Layer.unwrap(EmbeddedPostgres.use(({ url }) => Effect.succeed(clientLayer(config, url)))).pipe(
              Layer.provide(embeddedLayer(config, mayBeNew))
            )
        })
      )
    )
  )

/** The configured database of a whole instance: an external one, or the embedded one in the data folder. */
export const databaseLayer = configured(false).pipe(
  Layer.provide(Layer.effectDiscard(KinoraConfig.use(({ derived }) => restoreFinished(derived.dataDir))))
)

/** The same, to restore into: an embedded one is made although files of an instance are there. */
export const emptyDatabaseLayer = configured(true)

const clientLayer = (config: Configuration, url: Redacted.Redacted) =>
  Database.layer({ url, maxConnections: config.database.pool.max, applicationName: "kinora command" })

const embeddedLayer = (config: Configuration, mayBeNew: boolean) =>
  Layer.unwrap(
    Effect.as(
      Effect.andThen(usableFolder(config.derived.dataDir), usableFolder(config.storage.logs)),
      EmbeddedPostgres.layer({
        directory: join(config.derived.dataDir, "postgres"),
        logsDirectory: config.storage.logs,
        ownCacheDirectory: config.storage.bin,
        ...(mayBeNew ? {} : { existingData: existingData(config) })
      })
    )
  )

/** Where the dump made before an upgrade is written. */
export const backupsDirectory = (config: Configuration): string => join(config.derived.dataDir, "backups")
