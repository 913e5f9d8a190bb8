import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { layer as databaseLayer } from "../../../src/platform/database/Database.ts"
import { readDump } from "../../../src/platform/dump/DumpFile.ts"
import { loadDump } from "../../../src/platform/dump/LoadDump.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { baselineVersion, schemaFiles, toSchema } from "../../../src/platform/migrations/SchemaFiles.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-backups-"))
const backupsDirectory = join(root, "some")
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A schema of files by their paths. */
const schema = (files: Readonly<Record<string, string>>) =>
  toSchema(Object.entries(files).map(([path, text]) => ({ path, text })))
const run = (files: Readonly<Record<string, string>>) => migrate({ backupsDirectory, schema: schema(files) })

const one = { "people/tables/01-one.sql": "create table a (n integer); insert into a values (1);" }
const two = { "changes/0050-two.sql": "create table b (n integer); insert into b select n from a;" }

describe("Migrations", { timeout: 120_000 }, () => {
  it.live("apply once though two nodes start together, and cost one query afterwards", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const all = migrate({ backupsDirectory })
      const applied = yield* Effect.all([all, all], { concurrency: "unbounded" })
      assert.deepStrictEqual(applied.toSorted(), [false, true])
      assert.isFalse(yield* all)
      const rows = yield* sql<{ id: number }>`select id from schema_migration order by id`
      assert.deepStrictEqual(
        rows.map((row) => row.id),
        [baselineVersion, ...schemaFiles.changes.map((change) => change.id)]
      )
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("keep what was applied and undo what fails, whole", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const kept = { ...one, "people/functions/kept.sql": "create function kept() returns text return 'kept';" }
      yield* run(kept)
      const broken = {
        ...two,
        "changes/0051-broken.sql": "create table c (n integer); insert into nowhere values (1);",
        "people/functions/kept.sql": "create function kept() returns text return 'other';"
      }
      const error = yield* Effect.flip(run({ ...kept, ...broken }))
      assert.strictEqual(
        error.message,
        'sql/changes/0051-broken.sql failed, and all was rolled back: relation "nowhere" does not exist'
      )
      assert.deepStrictEqual(
        yield* sql`select to_regclass('b') is null and to_regclass('c') is null as gone, (select count(*) from a) as kept,
          kept() as text`,
        [{ gone: true, kept: 1, text: "kept" }]
      )
      assert.isTrue(yield* run({ ...kept, ...two }))
      assert.deepStrictEqual(yield* sql`table b`, [{ n: 1 }])
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live(
    "make functions, views and triggers anew when one changes, drop what is in no file, and touch no other's",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const first = {
          ...one,
          "people/functions/sums.sql": `create function twice(n integer) returns integer language sql as 'select 2 * n';
          create function marked() returns trigger language plpgsql as 'begin new.n := twice(new.n); return new; end';`,
          "people/views/doubled.sql": "create view doubled as select twice(n) as n from a;",
          "video/triggers/a.sql": "create trigger a_marked before insert on a for each row execute function marked();"
        }
        yield* run(first)
        yield* sql.unsafe(`create function mine() returns integer language sql as 'select 1'`)
        yield* sql.unsafe("create view my_view as select n from a")
        yield* sql`insert into a values (2)`
        assert.deepStrictEqual(yield* sql`select n from doubled order by n`, [{ n: 2 }, { n: 8 }])

        // The view has another column, the function another signature, and the trigger is gone.
        const second = {
          ...one,
          "people/functions/sums.sql": "create function twice(n bigint) returns bigint language sql as 'select 2 * n';",
          "people/views/doubled.sql": "create view doubled as select twice(n::bigint) as doubled, n from a;"
        }
        assert.isTrue(yield* run(second))
        assert.isFalse(yield* run(second))
        yield* sql`insert into a values (3)`
        assert.deepStrictEqual(yield* sql`select * from doubled order by n`, [
          { doubled: 2, n: 1 },
          { doubled: 6, n: 3 },
          { doubled: 8, n: 4 }
        ])
        assert.deepStrictEqual(
          yield* sql`select proname::text as name from pg_proc where proname in ('twice', 'marked', 'mine')`,
          [{ name: "mine" }, { name: "twice" }]
        )
        assert.deepStrictEqual(yield* sql`select mine() as one, (select count(*) from my_view) as rows`, [
          { one: 1, rows: 3 }
        ])
        assert.deepStrictEqual(yield* sql`select path from schema_file order by path`, [
          { path: "people/functions/sums.sql" },
          { path: "people/views/doubled.sql" }
        ])
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("are made of functions whose bodies PostgreSQL takes, whichever files changed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate({ backupsDirectory })
      const comment = { path: "people/functions/zzz.sql", text: "-- Changed." }
      yield* migrate({
        backupsDirectory,
        schema: { ...schemaFiles, repeatable: [...schemaFiles.repeatable, comment] }
      })
      // Bodies are checked only when all that they name is there.
      const functions = schemaFiles.repeatable.filter((file) => file.path.includes("/functions/"))
      assert.isAbove(functions.length, 30)
      yield* Effect.forEach(functions, ({ text }) => {
        const again = text.replaceAll(/^create function/gm, "create or replace function")
        return sql.unsafe(`do $check$ begin execute $file$${again}$file$; end $check$`)
      })
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("dump a table that takes longer than a statement may", () =>
    Effect.gen(function* () {
      const slow = {
        "people/tables/01-slow.sql": `create type slow as enum ('slow');
          create function slowly(slow) returns text language sql as $$ select enum_range($1, $1)::text from pg_sleep(1.5) $$;
          create cast (slow as text) with function slowly(slow);
          create table a (one slow); insert into a values ('slow');`
      }
      yield* run(slow)
      const { url } = (yield* PgClient).config
      const short = databaseLayer({ url: url!, statementTimeout: "1 second" })
      const upgrade = run({ ...slow, "changes/0050-two.sql": "create table b (n integer)" })
      assert.isTrue(yield* Effect.provide(upgrade, short))
      const dumps = readdirSync(backupsDirectory).map((file) => gunzipSync(readFileSync(join(backupsDirectory, file))))
      assert.isTrue(dumps.some((text) => text.includes('["{slow}"]')))
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("refuse a changed table or change, and a database of a newer or a much older program", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* run({ ...one, ...two })
      const change = yield* Effect.flip(run({ ...one, "changes/0050-two.sql": `${two["changes/0050-two.sql"]} ` }))
      assert.include(change.message, "Migration 50 (two) was applied in another form")
      const table = yield* Effect.flip(run({ "people/tables/01-one.sql": "create table a (n bigint);", ...two }))
      assert.include(table.message, "Migration 49 (baseline) was applied in another form")
      const newer = yield* Effect.flip(run(one))
      assert.include(newer.message, "newer version")
      yield* sql`delete from schema_migration`
      yield* sql`insert into schema_migration (id, name, checksum) values (1, 'actors', 'x'), (47, 'later', 'y')`
      const old = yield* Effect.flip(run(one))
      assert.include(old.message, "upgrade to version 0.1.0 first")
      yield* sql`insert into schema_migration (id, name, checksum) values (48, 'conversations', 'z')`
      assert.include((yield* Effect.flip(run(one))).message, "never released")
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
          (select count(*) from video_file) as files, (select metadata::text from upload_session) as metadata, (select sum(change) from video_total) as total,
          nextval('video_id_seq') as next`
      )
      const before = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrate({ backupsDirectory })
        yield* seedVideos({ videos: 50, accounts: 3 })
        yield* sql`update video set name = 'It''s \\ 100% "quoted"', description = E'two\nlines' where id = 1`
        // As the upload of a form writes it while the file arrives.
        yield* sql`insert into upload_session (id, user_id, payer_id, filename, content_type, size, metadata, expires_at)
          select 'a', id, id, '', '', 1, 'null', now() + interval '1 hour' from app_user limit 1`
        const { changes } = schema({ "changes/1000-upgrade.sql": "create table upgraded (n integer);" })
        yield* migrate({ backupsDirectory, schema: { ...schemaFiles, changes: [...schemaFiles.changes, ...changes] } })
        assert.deepStrictEqual(yield* sql`table upgraded`, [])
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))

      const files = readdirSync(backupsDirectory)
      assert.strictEqual(files.length, 1)
      assert.match(files[0]!, /^before-upgrade-from-\d+-.*\.sql\.gz$/)
      const path = join(backupsDirectory, files[0]!)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)

      const after = yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrate({ backupsDirectory })
        const connection = yield* PgConnection.make((yield* PgClient).config)
        yield* loadDump(connection, readDump(path))
        const [triggers] = yield* sql<{ off: number }>`select count(*) as off from pg_trigger where tgenabled = 'D'`
        assert.strictEqual(triggers!.off, 0)
        const [row] = yield* sql<{ keys: number }>`select count(*) as keys from pg_constraint where contype = 'f'`
        assert.isAbove(row!.keys, 50)
        return yield* contents
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(EmptyDatabase)))
      assert.deepStrictEqual(after, before)
    })
  )
})
