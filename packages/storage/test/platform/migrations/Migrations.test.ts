import { PgClient } from "@effect/sql-pg/PgClient"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { layer as databaseLayer } from "../../../src/platform/database/Database.ts"
import { migrations } from "../../../src/platform/migrations/MigrationList.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-backups-"))
const backupsDirectory = join(root, "some")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const one = { id: 1, name: "one", sql: "create table a (n integer); insert into a values (1);" }
const two = { id: 2, name: "two", sql: "create table b (n integer); insert into b select n from a;" }
const run = (list: ReadonlyArray<typeof one>) => migrate({ backupsDirectory, migrations: list })

describe("Migrations", { timeout: 120_000 }, () => {
  it.live("apply once though two nodes start together, and cost one query afterwards", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const all = migrate({ backupsDirectory })
      const applied = yield* Effect.all([all, all], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        applied.toSorted((a, b) => a - b),
        [0, migrations.length]
      )
      assert.strictEqual(yield* all, 0)
      const rows = yield* sql<{ id: number }>`select id from schema_migration order by id`
      assert.deepStrictEqual(
        rows.map((row) => row.id),
        migrations.map((migration) => migration.id)
      )
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("keep what was applied and undo what fails, whole", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const broken = { id: 2, name: "broken", sql: "create table b (n integer); insert into nowhere values (1);" }
      const error = yield* Effect.flip(run([one, broken]))
      assert.include(error.message, "Migration 2 (broken) failed and was rolled back")
      assert.deepStrictEqual(yield* sql`select to_regclass('b') is null as gone, (select count(*) from a) as kept`, [
        { gone: true, kept: 1 }
      ])
      assert.strictEqual(yield* run([one, two]), 1)
      assert.deepStrictEqual(yield* sql`table b`, [{ n: 1 }])
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("dump a table that takes longer than a statement may", () =>
    Effect.gen(function* () {
      const slow = {
        ...{ id: 1, name: "slow" },
        sql: `create type slow as enum ('slow');
          create function told(slow) returns json language sql as 'select to_json($1::text) from pg_sleep(1.5)';
          create cast (slow as json) with function told(slow);
          create table a (one slow); insert into a values ('slow');`
      }
      yield* run([slow])
      const { url } = (yield* PgClient).config
      const short = databaseLayer({ url: url!, statementTimeout: "1 second" })
      const upgrade = run([slow, { id: 2, name: "two", sql: "create table b (n integer)" }])
      assert.strictEqual(yield* Effect.provide(upgrade, short), 1)
      const dumps = readdirSync(backupsDirectory).map((file) => gunzipSync(readFileSync(join(backupsDirectory, file))))
      assert.isTrue(dumps.some((text) => text.includes('{"one":"slow"}')))
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("refuse a changed migration and a database of a newer program", () =>
    Effect.gen(function* () {
      yield* run([one, two])
      const changed = yield* Effect.flip(run([one, { ...two, sql: `${two.sql} ` }]))
      assert.include(changed.message, "applied in another form")
      const newer = yield* Effect.flip(run([one]))
      assert.include(newer.message, "newer version")
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("dump the database before an upgrade so that it can be restored", () =>
    Effect.gen(function* () {
      const backupsDirectory = join(root, "upgrade")
      const contents = Effect.flatMap(
        SqlClient,
        (sql) =>
          sql`select (select jsonb_agg(to_jsonb(v) order by id) from video v)::text as videos,
          (select jsonb_agg(to_jsonb(u) order by id) from app_user u)::text as users,
          (select count(*) from video_file) as files, (select sum(change) from video_total) as total,
          nextval('video_id_seq') as next`
      )
      const before = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrate({ backupsDirectory })
        yield* seedVideos({ videos: 50, accounts: 3 })
        yield* sql`update video set name = 'It''s \\ 100% "quoted"', description = E'two\nlines' where id = 1`
        const upgrade = { id: 1000, name: "upgrade", sql: "create table upgraded (n integer);" }
        yield* migrate({ backupsDirectory, migrations: [...migrations, upgrade] })
        assert.deepStrictEqual(yield* sql`table upgraded`, [])
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))

      const files = readdirSync(backupsDirectory)
      assert.strictEqual(files.length, 1)
      assert.match(files[0]!, /^before-upgrade-from-\d+-.*\.sql\.gz$/)
      const path = join(backupsDirectory, files[0]!)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      const statements = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n")

      const after = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrate({ backupsDirectory })
        assert.strictEqual(statements[0], "begin;")
        assert.strictEqual(statements.at(-1), "commit;")
        yield* sql.withTransaction(
          Effect.forEach(statements.slice(1, -1), (statement) => sql.unsafe(statement), { discard: true })
        )
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
      assert.deepStrictEqual(after, before)
    })
  )
})
