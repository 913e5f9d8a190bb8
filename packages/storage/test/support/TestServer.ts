import { Layer } from "effect"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/embedded/EmbeddedPostgres.ts"

const cache = fileURLToPath(new URL("../../../../.cache/", import.meta.url))

/** The one server that all suites share. It stays up between runs: suites own databases, never the server. */
export const TestServer: Layer.Layer<EmbeddedPostgres> = EmbeddedPostgres.layer({
  directory: `${cache}test-pg`,
  logsDirectory: `${cache}test-pg/logs`,
  cacheDirectory: `${cache}postgres`,
  keepRunning: true,
  parameters: { max_connections: "200", shared_buffers: "64MB" }
}).pipe(Layer.orDie)
