import { settleOrigin } from "@kinora/storage/instance/installation/Origin"
import { movingFinished } from "@kinora/storage/instance/moving/MovingState"
import { migrate } from "@kinora/storage/platform/migrations/Migrations"
import { Console, Context, Effect, Layer, Logger, References } from "effect"
import { KinoraConfig } from "../platform/config/Config.ts"
import { backupsDirectory, databaseLayer } from "./DatabaseLayer.ts"

/** Commands write their result to standard output. Log lines, from warnings on, go to standard error. */
export const commandLogging = Layer.mergeAll(
  Logger.layer([Logger.consolePretty()]),
  Layer.succeed(Logger.LogToStderr)(true),
  Layer.succeed(References.MinimumLogLevel)("Warn")
)

/** The configuration, with its warnings on standard error. */
export const configLayer = KinoraConfig.layer.pipe(
  Layer.tap((context) =>
    Effect.forEach(
      Context.get(context, KinoraConfig).derived.warnings,
      (warning) => Console.error(`warning: ${warning}`),
      { discard: true }
    )
  )
)

/** Brings the schema up to date and returns how many migrations were applied. */
export const migrateDatabase = Effect.gen(function* () {
  const config = yield* KinoraConfig
  return yield* migrate({ backupsDirectory: backupsDirectory(config) })
})

/** User URLs start with the address of the instance, so no user is created under a different one. */
const sameOrigin = Effect.flatMap(KinoraConfig, ({ derived }) => settleOrigin(derived.origin, false))

/** The configured database, whose schema is brought up to date first. */
export const migratedDatabase = Layer.effectDiscard(
  Effect.andThen(Effect.andThen(migrateDatabase, movingFinished), sameOrigin)
).pipe(Layer.provideMerge(databaseLayer))
