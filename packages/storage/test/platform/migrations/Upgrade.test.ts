import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import { schemaFiles } from "../../../src/platform/migrations/SchemaFiles.ts"
import { makeVideoSummaries } from "../../../src/video/read/VideoTexts.ts"
import { catalogue } from "../../support/Catalogue.ts"
import { loadFilledInstance } from "../../support/FilledInstance.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const backupsDirectory = mkdtempSync(join(tmpdir(), "kinora-backups-"))
afterAll(() => rmSync(backupsDirectory, { recursive: true, force: true }))

/** What tables of today were called. */
const renamed = new Map([
  ["video_published", "video_told"],
  ["playlist_published", "playlist_told"],
  ["actor_published", "actor_told"],
  ["video_read_model", "video_wire"],
  ["actor_read_model", "actor_wire"]
])

/** Tables of then whose rows nobody needs. */
const dropped = new Set(["wire_label"])

/** Tables of work to do, to which changes add. */
const queues = new Set(["listing_change"])

interface Contents {
  readonly name: string
  readonly rows: number
  readonly digest: string
}

/** How many rows each table of ours has, and a digest of them. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'schema\\_%' order by 1`
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql.unsafe<Contents>(
        `select '${name}' as name, count(*) as rows, coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as digest from ${name} t`
      ),
      (rows) => rows[0]!
    )
  )
})

describe("An instance of version 0.1.0", { timeout: 120_000 }, () => {
  it.live("has after its upgrade the schema of a new one, and every row", () =>
    Effect.gen(function* () {
      const fresh = yield* Effect.gen(function* () {
        yield* migrate({ backupsDirectory })
        return yield* catalogue
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))

      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* loadFilledInstance
        const before = yield* contents
        const filled = new Map(before.map(({ name, rows }) => [name, rows]))
        for (const name of [
          "video",
          "video_comment",
          "video_playlist",
          "actor_follow",
          "runner_job",
          "oauth_token",
          "delivery_host"
        ]) {
          assert.isAbove(filled.get(name) ?? 0, 0, name)
        }
        // The baseline as it was, and then what has changed since. Triggers of today name tables that changes make.
        assert.isTrue(yield* migrate({ backupsDirectory, schema: { ...schemaFiles, changes: [], repeatable: [] } }))
        assert.deepStrictEqual(yield* contents, before)
        assert.isTrue(yield* migrate({ backupsDirectory }))
        assert.deepStrictEqual(yield* catalogue, fresh)
        const after = new Map((yield* contents).map(({ name, rows }) => [renamed.get(name) ?? name, rows]))
        for (const { name, rows } of before) {
          if (!dropped.has(name) && !queues.has(name)) assert.strictEqual(after.get(name), rows, name)
        }
        assert.deepStrictEqual(
          yield* sql`select actor_id from listing_change order by 1`,
          yield* sql`
            select distinct f.target_actor_id as actor_id from actor_follow f join actor t on t.id = f.target_actor_id
            where f.state = 'accepted' and not f.follower_remote and t.server_id is not null order by 1`
        )
        assert.isFalse(yield* migrate({ backupsDirectory }))
        assert.strictEqual(
          readdirSync(backupsDirectory).filter((name) => name.startsWith("before-upgrade-from-48-")).length,
          1
        )

        // What triggers and functions keep goes on where it was.
        yield* sql`update video set name = 'Another name' where name = 'A quiet river'`
        const [video] = yield* sql<{ id: number; voided: boolean }>`
          select v.id, w.summary is null as voided
          from video v join video_read_model w on w.video_id = v.id where v.name = 'Another name'`
        assert.isTrue(video!.voided)
        assert.include((yield* makeVideoSummaries(sql, [video!.id])).get(video!.id), '"name":"Another name"')
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
    })
  )
})
