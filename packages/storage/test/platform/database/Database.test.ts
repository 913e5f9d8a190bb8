import { afterAll, assert, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg/PgClient"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Deferred, Effect, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kill } from "node:process"
import {
  DatabaseUnusable,
  layer as databaseLayer,
  withDatabaseErrors
} from "../../../src/platform/database/Database.ts"
import { EmbeddedPostgres } from "../../../src/platform/embedded/EmbeddedPostgres.ts"
import { JobBoard } from "../../../src/platform/jobs/JobBoard.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-database-"))
chmodSync(root, 0o755)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const server = EmbeddedPostgres.layer({
  directory: join(root, "postgres"),
  logsDirectory: join(root, "logs"),
  cacheDirectory: join(root, "cache"),
  parameters: { shared_buffers: "16MB" }
})

const start = Effect.map(Layer.build(server), Context.get(EmbeddedPostgres))
const connect = (url: Redacted.Redacted) => Layer.build(databaseLayer({ url }))
const postmaster = () => Number(readFileSync(join(root, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])

describe("Database", { timeout: 120_000 }, () => {
  it.live("answers numbers for int8, cancels what takes too long, and hides mistakes of ours as defects", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* start
        const sql = Context.get(yield* Layer.build(databaseLayer({ url, statementTimeout: "50 millis" })), SqlClient)
        const rows = yield* sql`select count(*) as n, 9007199254740991::int8 as big, array[1::int8, -2] as some`
        assert.deepStrictEqual(rows, [{ n: 1, big: 9007199254740991, some: [1, -2] }])
        const slow = yield* Effect.flip(sql`select pg_sleep(5)`)
        assert.strictEqual(slow.reason._tag, "StatementTimeoutError")
        assert.strictEqual((yield* Effect.exit(withDatabaseErrors(sql`select nothing`)))._tag, "Failure")
        const died = yield* Effect.exit(withDatabaseErrors(sql`select nothing`))
        assert.isTrue(died._tag === "Failure" && died.cause.reasons[0]?._tag === "Die")
      })
    )
  )

  it.live("fails fast while the server is away, and resumes when it is back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const embedded = yield* start
        const services = yield* connect(embedded.url)
        const sql = Context.get(services, SqlClient)
        yield* migrate({ backupsDirectory: join(root, "backups") }).pipe(Effect.provideContext(services))
        const board = Context.get(
          yield* Layer.build(JobBoard.layer.pipe(Layer.provide(Layer.succeedContext(services)))),
          JobBoard
        )
        const listening = yield* Deferred.make<void>()
        const woken = yield* board.wakeUps.pipe(
          Stream.tap((type) => (type === "" ? Deferred.succeed(listening, undefined) : Effect.void)),
          Stream.takeUntil((type) => type === "after"),
          Stream.runDrain,
          Effect.forkScoped
        )
        yield* Deferred.await(listening)

        // Busy connections are cut in the middle of their statements.
        const busy = yield* Effect.forkScoped(
          Effect.all(
            Array.from({ length: 8 }, () => Effect.flip(withDatabaseErrors(sql`select pg_sleep(20)`))),
            {
              concurrency: "unbounded"
            }
          )
        )
        const observer = Context.get(yield* connect(embedded.url), SqlClient)
        yield* observer<{ n: number }>`select count(*) as n from pg_stat_activity where query like '%pg_sleep(20)%'
          and state = 'active' and pid <> pg_backend_pid()`.pipe(Effect.repeat({ until: (rows) => rows[0]!.n >= 1 }))
        kill(postmaster(), "SIGKILL")
        for (const error of yield* Fiber.join(busy)) assert.instanceOf(error, DatabaseUnavailable)

        for (let n = 0; n < 5; n++) {
          const error = yield* Effect.flip(withDatabaseErrors(sql`select 1`)).pipe(Effect.timeout("20 seconds"))
          assert.instanceOf(error, DatabaseUnavailable)
          assert.strictEqual(error.status, 503)
          assert.isDefined(error.headers?.["retry-after"])
        }
        yield* Effect.forkScoped(embedded.watch)
        yield* withDatabaseErrors(sql`select 1`).pipe(
          Effect.retry({
            while: (error) => error._tag === "DatabaseUnavailable",
            schedule: Schedule.spaced("50 millis")
          })
        )
        const answers = yield* Effect.all(
          Array.from({ length: 40 }, (_, n) => sql`select ${n}::int as n`),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(answers.length, 40)
        // The listener is back too: it says so, or hears the job.
        yield* board
          .enqueue({ type: "after", payload: null })
          .pipe(Effect.delay("50 millis"), Effect.repeat({ until: () => woken.pollUnsafe() !== undefined }))
      })
    )
  )

  it.live("waits at start for a server that comes later", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* Effect.scoped(Effect.map(start, (embedded) => embedded.url))
        const waiting = yield* Effect.forkScoped(connect(url))
        yield* start
        const sql = Context.get(yield* Fiber.join(waiting), PgClient)
        assert.deepStrictEqual(yield* sql`select 1 as n`, [{ n: 1 }])
      })
    )
  )

  it.live("says what is wrong with a database that answers but cannot be used", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* start
        const changed = (change: (url: URL) => void) => {
          const parsed = new URL(Redacted.value(url))
          change(parsed)
          return connect(Redacted.make(parsed.href)).pipe(Effect.flip)
        }
        const missing = yield* changed((it) => (it.pathname = "/elsewhere"))
        assert.instanceOf(missing, DatabaseUnusable)
        assert.include(missing.message, "does not exist")
        const refused = yield* changed((it) => (it.password = "wrong"))
        assert.include(refused.message, "refuses user or password")
        assert.notInclude(refused.message, "wrong")
      })
    )
  )

  it.live("gives a connection that is never answered two seconds", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const silent = createServer()
        const port = yield* Effect.callback<number>((resume) => {
          silent.listen(0, "127.0.0.1", () => resume(Effect.succeed((silent.address() as { port: number }).port)))
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => void silent.close()))
        const url = Redacted.make(`postgresql://kinora:x@127.0.0.1:${port}/kinora`)
        const attempt = yield* connect(url).pipe(Effect.timeoutOption("5 seconds"))
        assert.strictEqual(attempt._tag, "None")
      })
    )
  )
})
