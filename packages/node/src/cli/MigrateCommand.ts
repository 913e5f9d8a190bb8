import { Console, Effect, Layer, References } from "effect"
import { Command } from "effect/cli"
import { toCliFailure } from "./CliFailure.ts"
import { commandLogging, configLayer, migrateDatabase } from "./CommandLayers.ts"
import { databaseLayer } from "./DatabaseLayer.ts"

const layer = databaseLayer.pipe(Layer.provideMerge([configLayer, commandLogging]))

export const migrateCommand = Command.make("migrate", {}, () =>
  toCliFailure(
    Effect.gen(function* () {
      const upgraded = yield* migrateDatabase
      yield* Console.log(upgraded ? "The database was brought to this version." : "The database is up to date.")
    }).pipe(Effect.provideService(References.MinimumLogLevel, "Info"), Effect.provide(layer))
  )
).pipe(
  Command.withDescription(
    "Bring the database to this version, as serve does when it starts. A database that holds data is dumped into " +
      "the backups folder of the data folder first. Nodes that start together take turns."
  ),
  Command.withShortDescription("Bring the database to this version")
)
