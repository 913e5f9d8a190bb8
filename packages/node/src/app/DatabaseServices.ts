import { join } from "node:path"
import * as Database from "@kinora/storage/platform/database/Database"
import { CurrentReplica, layerReplica } from "@kinora/storage/platform/database/replica/Replica"
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
        ownCacheDirectory: config.storage.bin,
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

/** A standby that answers reads, if one is configured: looked at all the time, so that it is left alone when it lags or is away. */
const replica = Layer.unwrap(
  Effect.map(KinoraConfig, ({ database }) => {
    const { max_lag, pool, url } = database.replica
    if (url === null) return Layer.empty
    const watched = Layer.effectDiscard(
      Effect.gen(function* () {
        const current = yield* CurrentReplica
        if (current !== undefined) yield* (yield* Supervisor).run("read replica", current.watch)
      })
    )
    return Layer.provideMerge(watched, layerReplica({ url, maxConnections: pool.max, maxLag: max_lag }))
  })
)

/**
 * The database the configuration names, its schema up to date and its read models those of this version and origin, and its
 * replica. Nothing is read from the replica before the watch has seen that it has what was there when this node was ready.
 */
export const DatabaseServices = replica.pipe(Layer.provideMerge(prepared), Layer.provideMerge(connection))
