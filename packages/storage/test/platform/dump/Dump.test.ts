import { PgClient } from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { readDump, readHead, writeDump } from "../../../src/platform/dump/DumpFile.ts"
import { loadDump } from "../../../src/platform/dump/LoadDump.ts"
import { beginSnapshot } from "../../../src/platform/migrations/Backup.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-dump-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const head = { format: 1, program: "0.0.0", createdAt: "2026-01-01T00:00:00Z", origin: null, schema: [] } as const

/** Texts that a dump could garble: quotes, escapes, line ends of every kind, and what looks like the end of a copy. */
const awkward = `It's \\ 100% "quoted" \\n E'' $1 $$\r\n\ttab\u2028\u2029\\.\n;commit; null {} é😀`

/** Two values of each type that the tables have. */
const samples: Readonly<Record<string, readonly [string, string]>> = {
  smallint: ["'-32768'", "2"],
  integer: ["2147483647", "'-5'"],
  bigint: ["9007199254740991", "'-1'"],
  real: ["0.1", "'-Infinity'"],
  "double precision": ["0.30000000000000004", "'NaN'"],
  boolean: ["true", "false"],
  text: ["$t$" + awkward + "$t$", "'null'"],
  citext: ["$t$" + awkward + "$t$", "''"],
  uuid: ["'11111111-1111-4111-8111-111111111111'", "'22222222-2222-4222-8222-222222222222'"],
  jsonb: [`jsonb_build_object('a', $t$${awkward}$t$, 'b', null, 'c', array[1.50, 1e30])`, `'"null"'`],
  json: ["'{\"a\" :  null}'", "'null'"],
  bytea: ["'\\x00ff5c27'", "''"],
  date: ["'infinity'", "'0044-03-15 BC'"],
  interval: ["'1 year -2 days 03:04:05.000006'", "'0'"],
  "timestamp with time zone": ["'2026-11-23 21:24:09.123456+05:30'", "'-infinity'"],
  "text[]": [`array[$t$${awkward}$t$, null, 'NULL', '']`, "'{}'"],
  "smallint[]": ["'{1,NULL,-3}'", "'{}'"],
  "uuid[]": ["'{11111111-1111-4111-8111-111111111111}'", "'{}'"],
  "integer[]": ["'{1,NULL,-3}'", "'{}'"],
  tsvector: ["to_tsvector('simple', 'a ''b'' c:d')", "''"],
  int4multirange: ["'{[1,3),[7,9)}'", "'{}'"],
  xid8: ["'12345678901234'", "'1'"],
  inet: ["'2001:db8::1'", "'192.0.2.0/24'"]
}

interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
}

const tables = Effect.flatMap(
  PgClient,
  (sql) => sql<Table>`
    select quote_ident(c.relname) as name, json_agg(json_build_object('name', quote_ident(a.attname),
      'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'schema\\_%'
    group by c.relname order by c.relname`
)

/** Takes away what would refuse rows that no program writes: this is about values, not about what they mean. */
const withoutRules = Effect.gen(function* () {
  const sql = yield* PgClient
  const constraints = yield* sql<{ statement: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
    where contype in ('c', 'f') and conrelid <> 0 and connamespace = current_schema()::regnamespace`
  for (const { statement } of constraints) yield* sql.unsafe(statement)
})

/** Three rows in every table: filled, null wherever it can be, and JSON's own null in every column of JSON. */
const fill = Effect.gen(function* () {
  const sql = yield* PgClient
  for (const { columns, name } of yield* tables) {
    yield* sql.unsafe(`alter table ${name} disable trigger all`)
    yield* sql.unsafe(`delete from ${name}`)
    const valueOf = ({ type }: Column, row: 0 | 1): string => {
      const sample = samples[type]
      if (sample === undefined)
        throw new Error(`${name} has a column of type ${type}, of which this test has no sample`)
      return `${sample[row]}::${type}`
    }
    const rows = [
      columns.map((column) => valueOf(column, 0)),
      columns.map((column) => (column.nullable ? "null" : valueOf(column, 1)))
    ]
    for (const row of rows) {
      yield* sql.unsafe(`insert into ${name} (${columns.map((one) => one.name).join(", ")}) overriding system value
        values (${row.join(", ")})`)
    }
    for (const column of columns.filter(({ type }) => type === "jsonb")) {
      yield* sql.unsafe(
        `update ${name} set ${column.name} = 'null' where ${column.name} = '"null"' or ctid = (select max(ctid) from ${name})`
      )
    }
  }
})

/** Every row as PostgreSQL writes it, where JSON's null and SQL's differ. */
const contents = Effect.gen(function* () {
  const sql = yield* PgClient
  const all: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of yield* tables) {
    const rows = yield* sql.unsafe<{ row: string }>(`select t::text as row from ${name} t order by 1`)
    all[name] = rows.map(({ row }) => row)
  }
  return all
})

const dumpTo = Effect.fnUntraced(function* (path: string) {
  const connection = yield* PgConnection.make((yield* PgClient).config)
  yield* beginSnapshot(connection)
  yield* writeDump(connection, head, path)
}, Effect.scoped)

const load = Effect.fnUntraced(function* (path: string) {
  const connection = yield* PgConnection.make((yield* PgClient).config)
  yield* loadDump(connection, readDump(path))
}, Effect.scoped)

/** What PostgreSQL's own program makes of it. */
const psql = (url: Redacted.Redacted, input: string) => {
  const { status, stderr } = spawnSync("psql", ["--no-psqlrc", "--quiet", Redacted.value(url)], {
    input,
    encoding: "utf8"
  })
  return { status, stderr }
}

const made = Effect.andThen(migrate({ backupsDirectory: undefined }), withoutRules)

describe("Dump", { timeout: 120_000 }, () => {
  it.live("brings every value of every table back, JSON's null as JSON's and SQL's as SQL's", () =>
    Effect.gen(function* () {
      const path = join(root, "all.sql.gz")
      const before = yield* Effect.gen(function* () {
        yield* made
        yield* fill
        yield* dumpTo(path)
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
      assert.isAbove(Object.keys(before).length, 90)
      assert.deepStrictEqual(
        Object.entries(before).filter(([, rows]) => rows.length === 0),
        []
      )
      assert.isTrue(before["upload_session"]!.some((row) => row.includes(",null,")))
      const after = yield* Effect.gen(function* () {
        yield* made
        yield* load(path)
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
      assert.deepStrictEqual(after, before)
      // The same by PostgreSQL's own program, for who has nothing else at hand.
      const byPsql = yield* Effect.gen(function* () {
        yield* made
        assert.deepStrictEqual(psql((yield* PgClient).config.url!, gunzipSync(readFileSync(path)).toString()), {
          status: 0,
          stderr: ""
        })
        return yield* contents
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
      assert.deepStrictEqual(byPsql, before)
    })
  )

  it.live("ends psql with a failure, and leaves the database as it was, when a row does not fit", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      const path = join(root, "unfit.sql.gz")
      yield* migrate({ backupsDirectory: undefined })
      yield* sql`insert into tag (name) values ('kept')`
      yield* dumpTo(path)
      const unfit = gunzipSync(readFileSync(path)).toString().replace('["1","kept"]', '["one","kept"]')
      const { status, stderr } = psql(sql.config.url!, unfit)
      assert.strictEqual(status, 3)
      assert.include(stderr, 'invalid input syntax for type integer: "one"')
      assert.deepStrictEqual(yield* sql`select name::text as name from tag`, [{ name: "kept" }])
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("is one line a statement that only its owner may read, and says what it is a dump of", () =>
    Effect.gen(function* () {
      const path = join(root, "small.sql.gz")
      yield* made
      yield* dumpTo(path)
      assert.deepStrictEqual(yield* readHead(path), head)
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split("\n")
      assert.isTrue(
        lines.every((line) => /^(--|\\set|begin;|commit;|set|alter table|delete|insert|select) ?.*/.test(line))
      )
      assert.strictEqual(lines.at(-1), "commit;")
      // Without this psql goes on after an error, and ends with 0.
      assert.include(lines, String.raw`\set ON_ERROR_STOP on`)
    }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
  )

  it.live("changes nothing when it is cut short or does not fit", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient
      yield* migrate({ backupsDirectory: undefined })
      yield* sql`insert into tag (name) values ('kept')`
      const path = join(root, "whole.sql.gz")
      yield* dumpTo(path)
      const lines = gunzipSync(readFileSync(path)).toString().split("\n")
      const cut = join(root, "cut.sql.gz")
      writeFileSync(cut, gzipSync(lines.filter((line) => line !== "commit;").join("\n")))
      assert.include(String(yield* Effect.flip(load(cut))), "cut short")
      writeFileSync(cut, readFileSync(path).subarray(0, -200))
      assert.include(String(yield* Effect.flip(load(cut))), "cannot be read")
      const connection = yield* PgConnection.make(sql.config)
      yield* Effect.flip(
        loadDump(connection, Stream.fromIterable(["begin;", "delete from tag;", "table nowhere;", "commit;"]))
      )
      assert.deepStrictEqual(yield* sql`select name::text as name from tag`, [{ name: "kept" }])
      yield* load(path)
      assert.deepStrictEqual(yield* sql`select name::text as name from tag`, [{ name: "kept" }])
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(EmptyDatabase)))
  )
})
