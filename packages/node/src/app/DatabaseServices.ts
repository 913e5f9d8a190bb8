import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { movingFinished } from "@kinora/storage/instance/moving/MovingState"
import { migrate } from "@kinora/storage/platform/migrations/Migrations"
import { settleOrigin } from "@kinora/storage/instance/installation/Origin"
import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { Effect, Layer, Option, type Redacted } from "effect"
import { backupsDirectory } from "../cli/DatabaseLayer.ts"
import { KinoraConfig } from "../platform/config/Config.ts"
import type { Configuration } from "../platform/config/Configuration.ts"
import { RenameHost } from "../platform/config/RenameHost.ts"
import { existingData } from "../platform/folders/ExistingData.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"
import { knownDatabase } from "./KnownDatabase.ts"

const client = (config: Configuration, url: Redacted.Redacted) =>
  Database.layer({ url, maxConnections: config.database.pool.max })

/** The embedded server is a task like any other: when it ends it is started again, and when it cannot live we end too. */
const embedded = (config: Configuration) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const postgres = yield* EmbeddedPostgres
      const supervisor = yield* Supervisor
      yield* supervisor.run("embedded PostgreSQL", postgres.watch)
      return client(config, postgres.url)
    })
  ).pipe(
    Layer.provide(
      EmbeddedPostgres.layer({
        directory: join(config.derived.dataDir, "postgres"),
        logsDirectory: config.storage.logs,
        existingData: existingData(config)
      })
    )
  )

const connection = Layer.unwrap(
  Effect.map(KinoraConfig, (config) =>
    Option.match(config.derived.databaseUrl, { onSome: (url) => client(config, url), onNone: () => embedded(config) })
  )
)

const prepared = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    yield* knownDatabase
    yield* migrate({ backupsDirectory: backupsDirectory(config) })
    yield* movingFinished
    const { origin } = config.derived
    if (yield* settleOrigin(origin, yield* RenameHost)) {
      yield* Effect.logWarning(
        `All addresses of the instance were changed to ${origin}. Others know the former ones: who followed follows again.`
      )
    }
    yield* prepareReadModels(origin)
  })
)

/** The database the configuration names, its schema up to date and its read models those of this version and origin. */
export const DatabaseServices = prepared.pipe(Layer.provideMerge(connection))
