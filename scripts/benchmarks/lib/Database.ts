import { Effect, type Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { dirname } from "node:path"
import { embeddedServer } from "../../../packages/node/test/support/EmbeddedServer.ts"
import { layer as databaseLayer } from "../../../packages/storage/src/platform/database/Database.ts"

/** Runs an effect over the embedded database of a running instance. */
export const withDatabase = <A, E>(dataDir: string, effect: Effect.Effect<A, E, SqlClient>) => {
  const { password, socket } = embeddedServer(dataDir)
  const url = `postgresql://kinora:${encodeURIComponent(password)}@localhost/kinora?host=${encodeURIComponent(dirname(socket))}`
  return Effect.runPromise(Effect.provide(effect, databaseLayer({ url: Redacted.make(url) }) as Layer.Layer<SqlClient>))
}
