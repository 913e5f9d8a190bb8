import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { EmbeddedPostgres } from "@kinora/storage/platform/embedded/EmbeddedPostgres"
import { migrate } from "@kinora/storage/platform/migrations/Migrations"
import { settleOrigin } from "@kinora/storage/instance/installation/Origin"
import { prepareWire } from "@kinora/storage/video/read/WireSources"
import { Effect, Layer, Option, Redacted } from "effect"
import { backupsDirectory } from "../cli/DatabaseLayer.ts"
import { type Configuration, KinoraConfig } from "../platform/config/Config.ts"
import { RenameHost } from "../platform/config/RenameHost.ts"
import { leftBehind } from "../platform/folders/LeftBehind.ts"
import { Supervisor } from "../platform/supervision/Supervisor.ts"

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
        leftBehind: leftBehind(config)
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
    const url = Option.map(config.derived.databaseUrl, Redacted.value)
    yield* migrate({ backupsDirectory: backupsDirectory(config), url: Option.getOrUndefined(url) })
    const { origin } = config.derived
    if (yield* settleOrigin(origin, yield* RenameHost)) {
      yield* Effect.logWarning(
        `All addresses of the instance were changed to ${origin}. Others know the former ones: who followed follows again.`
      )
    }
    yield* prepareWire(origin)
  })
)

/** The database the configuration names, its schema up to date and its ready answers told where they will be read. */
export const DatabaseServices = prepared.pipe(Layer.provideMerge(connection))
