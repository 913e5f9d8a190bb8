import { Effect, Layer, Redacted } from "effect"
import { env } from "node:process"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/platform/embedded/EmbeddedPostgres.ts"

const cache = fileURLToPath(new URL("../../../../.cache/", import.meta.url))

/**
 * What is kept here may be lost: nobody waits for a disk. `rm -r .cache/test-pg` after a power cut. Commits still wait until
 * they are written, which costs little then: before that, VACUUM leaves pages unmarked, and plans differ.
 */
const careless = { fsync: "off", full_page_writes: "off" }

const embedded = EmbeddedPostgres.layer({
  directory: `${cache}test-pg`,
  logsDirectory: `${cache}test-pg/logs`,
  cacheDirectory: `${cache}postgres`,
  keepRunning: true,
  parameters: { max_connections: "200", shared_buffers: "64MB", ...careless }
})

const external = (url: string) =>
  Layer.succeed(EmbeddedPostgres, EmbeddedPostgres.of({ url: Redacted.make(url), watch: Effect.never }))

/**
 * The one server that all suites share. It stays up between runs: suites own databases, never the server.
 * `KINORA_TEST_DATABASE_URL` names another one (PostgreSQL 14 or newer, a role that may create databases).
 */
export const TestServer: Layer.Layer<EmbeddedPostgres> = (
  env["KINORA_TEST_DATABASE_URL"] === undefined ? embedded : external(env["KINORA_TEST_DATABASE_URL"])
).pipe(Layer.orDie)
