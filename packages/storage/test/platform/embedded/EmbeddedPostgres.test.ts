import { afterAll, assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kill } from "node:process"
import { layer as databaseLayer } from "../../../src/platform/database/Database.ts"
import { EmbeddedPostgres } from "../../../src/platform/embedded/EmbeddedPostgres.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-embedded-"))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const options = (name: string) => ({
  directory: join(root, name, "postgres"),
  logsDirectory: join(root, name, "logs"),
  cacheDirectory: join(root, "cache"),
  parameters: { shared_buffers: "16MB" }
})

const start = (name: string, more: { readonly keepRunning?: boolean } = {}) =>
  Effect.map(Layer.build(EmbeddedPostgres.layer({ ...options(name), ...more })), Context.get(EmbeddedPostgres))

const query = <A extends object>(url: Redacted.Redacted, text: string) =>
  Effect.flatMap(SqlClient, (sql) => sql.unsafe<A>(text)).pipe(
    Effect.provide(databaseLayer({ url, applicationName: "kinora-test" }))
  )

const pidOf = (name: string) =>
  Number(readFileSync(join(root, name, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])

const runs = (pid: number) => {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

describe("EmbeddedPostgres", { timeout: 120_000 }, () => {
  it.live("makes a database closed to others, stops with its scope and keeps its data", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* start("plain")
          yield* query(url, "create table kept as select 1 as n")
          const rows = yield* query<{ durable: string }>(
            url,
            `select concat_ws(' ', current_setting('fsync'),
            current_setting('full_page_writes'), current_setting('synchronous_commit'),
            current_setting('password_encryption'), current_setting('listen_addresses')) as durable`
          )
          assert.strictEqual(rows[0]!.durable, "on on on scram-sha-256 ")
          return pidOf("plain")
        })
      )
      assert.isFalse(runs(pid))
      for (const [path, mode] of [
        ["socket", 0o700],
        ["data", 0o700],
        ["password", 0o600]
      ] as const) {
        assert.strictEqual(statSync(join(root, "plain/postgres", path)).mode & 0o777, mode, path)
      }
      const rows = yield* Effect.scoped(
        Effect.flatMap(start("plain"), ({ url }) => query<{ n: number }>(url, "table kept"))
      )
      assert.deepStrictEqual(rows, [{ n: 1 }])
    })
  )

  it.live("adopts the server that outlived a killed node, and stops it in the end", () =>
    Effect.gen(function* () {
      // What a kill -9 of the node leaves: a server nobody stops.
      yield* Effect.scoped(start("plain", { keepRunning: true }))
      const pid = pidOf("plain")
      assert.isTrue(runs(pid))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* start("plain")
          assert.strictEqual(pidOf("plain"), pid)
          assert.deepStrictEqual(yield* query(url, "table kept"), [{ n: 1 }])
        })
      )
      assert.isFalse(runs(pid))
    })
  )

  it.live("starts although a pid file was left by a crash of the machine", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(start("plain", { keepRunning: true }))
      const pid = pidOf("plain")
      kill(pid, "SIGKILL")
      yield* Effect.sync(() => runs(pid)).pipe(Effect.delay("5 millis"), Effect.repeat({ while: (alive) => alive }))
      assert.strictEqual(pidOf("plain"), pid)
      const rows = yield* Effect.scoped(
        Effect.flatMap(start("plain"), ({ url }) => query<{ n: number }>(url, "table kept"))
      )
      assert.deepStrictEqual(rows, [{ n: 1 }])
    })
  )

  it.live("leaves the server to another program that uses it", () =>
    Effect.gen(function* () {
      const first = yield* Scope.make()
      yield* Scope.provide(start("plain"), first)
      const pid = pidOf("plain")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const second = yield* start("plain")
          const sql = yield* Effect.map(Layer.build(databaseLayer({ url: second.url })), Context.get(SqlClient))
          yield* sql.unsafe("select 1")
          yield* Scope.close(first, Exit.void)
          assert.isTrue(runs(pid))
          assert.deepStrictEqual(yield* sql.unsafe("table kept"), [{ n: 1 }])
        })
      )
      assert.isFalse(runs(pid))
    })
  )

  it.live("is restarted by its watch when it dies", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* start("plain")
        yield* Effect.forkScoped(server.watch)
        const pid = pidOf("plain")
        kill(pid, "SIGKILL")
        yield* query(server.url, "table kept").pipe(Effect.repeat({ until: () => pidOf("plain") !== pid }))
      })
    )
  )

  it.live("refuses the data of another major version, and says what to do", () =>
    Effect.gen(function* () {
      const file = join(root, "plain/postgres/data/PG_VERSION")
      const version = readFileSync(file, "utf8")
      writeFileSync(file, "16\n")
      const error = yield* Effect.flip(Effect.scoped(start("plain")))
      writeFileSync(file, version)
      assert.include(error.message, "was written by PostgreSQL 16")
      assert.include(error.message, "pg_dump")
    })
  )
})
