import { diskPath } from "../../support/objects/DiskPath.ts"
import { PgClient } from "@effect/sql-pg/PgClient"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { beginMoving, movingFinished } from "../../../src/instance/moving/MovingState.ts"
import { writeDump } from "../../../src/platform/dump/DumpFile.ts"
import { readApplied } from "../../../src/platform/migrations/AppliedSchema.ts"
import { beginSnapshot } from "../../../src/platform/migrations/Backup.ts"
import { schemaFiles } from "../../../src/platform/migrations/SchemaFiles.ts"
import { holdsInstance, restoreDatabase } from "../../../src/instance/backup/DatabaseRestore.ts"
import { takeSnapshot } from "../../../src/instance/backup/DatabaseSnapshot.ts"
import { layer as databaseLayer } from "../../../src/platform/database/Database.ts"
import { migrate } from "../../../src/platform/migrations/Migrations.ts"
import * as Disk from "../../../src/platform/objects/DiskObjectStore.ts"
import { putBytes } from "../../../src/platform/objects/ObjectBytes.ts"
import { type Bucket, buckets } from "../../../src/platform/objects/ObjectKey.ts"
import { ObjectStore } from "../../../src/platform/objects/ObjectStore.ts"
import { Removals } from "../../../src/platform/objects/Removals.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { EmptyDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-snapshot-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const directories = Object.fromEntries(buckets.map((bucket) => [bucket, join(root, bucket)])) as Record<Bucket, string>
const store = Disk.layer({ directories })

describe("a snapshot of the database", { timeout: 120_000 }, () => {
  it.live("holds every removal until it ends, lets nobody take a second one, and lists what rows name", () =>
    Effect.gen(function* () {
      yield* migrate({ backupsDirectory: undefined })
      const objects = yield* ObjectStore
      const removals = yield* Removals
      const sql = yield* PgClient
      yield* seedVideos({ videos: 1, accounts: 1 })
      const key = { bucket: "thumbnails", name: `${randomUUID()}.jpg` } as const
      yield* putBytes(objects, key, "picture")
      yield* sql`insert into thumbnail (video_id, type, filename, width, height) select id, 1, ${key.name}, 1, 1 from video`
      const path = yield* diskPath(objects, key)

      yield* Effect.gen(function* () {
        const names = join(root, "names.txt")
        const snapshot = yield* takeSnapshot
        const { rows } = yield* snapshot.write(join(root, "a.sql.gz"), names)
        assert.deepStrictEqual(yield* sql`select count(*)::int as rows from thumbnail`, [{ rows: rows["thumbnail"] }])
        assert.include(readFileSync(names, "utf8").split("\n"), `thumbnails/${key.name}`)
        yield* sql`delete from thumbnail where filename = ${key.name}`
        yield* removals.schedule([key])
        assert.strictEqual(yield* removals.execute(10), 0)
        assert.isTrue(existsSync(path))
        const second = yield* Effect.flip(Effect.scoped(takeSnapshot))
        assert.include(second.message, "Another backup")
        yield* snapshot.stillHeld
        yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'kinora backup' and datname = current_database()`
        assert.include((yield* Effect.flip(snapshot.stillHeld)).message, "was lost")
      }).pipe(Effect.scoped)

      assert.strictEqual(yield* removals.execute(10), 1)
      assert.isFalse(existsSync(path))
    }).pipe(
      Effect.provide(Removals.layer.pipe(Layer.provideMerge(store), Layer.provideMerge(Layer.fresh(EmptyDatabase))))
    )
  )

  it.live("is restored by a role that is no superuser, and refused by a program of an older schema", () =>
    Effect.gen(function* () {
      const dump = join(root, "plain.sql.gz")
      const snapshot = yield* Effect.gen(function* () {
        yield* migrate({ backupsDirectory: undefined })
        yield* seedVideos({ videos: 20, accounts: 3 })
        return yield* Effect.scoped(
          Effect.flatMap(takeSnapshot, (snapshot) => snapshot.write(dump, join(root, "plain.txt")))
        )
      }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))

      yield* Effect.gen(function* () {
        const sql = yield* PgClient
        const role = `plain_${randomUUID().slice(0, 8)}`
        yield* Effect.acquireRelease(sql.unsafe(`create role ${role} login password 'plain' nosuperuser`), () =>
          Effect.orDie(
            Effect.andThen(sql.unsafe(`reassign owned by ${role} to current_user`), sql.unsafe(`drop role ${role}`))
          )
        )
        const url = new URL(Redacted.value(sql.config.url!))
        yield* sql.unsafe(`alter database ${url.pathname.slice(1)} owner to ${role}`)
        url.username = role
        url.password = "plain"
        const later = { id: 9999, name: "later", checksum: "" }
        const plain = Layer.fresh(databaseLayer({ url: Redacted.make(url.href), maxConnections: 3 }))
        yield* Effect.gen(function* () {
          const newer = { ...snapshot.head, schema: [...snapshot.head.schema, later] }
          const refused = yield* Effect.flip(restoreDatabase(dump, newer, () => undefined))
          assert.include(refused.message, "schema change 9999 (later)")
          yield* restoreDatabase(dump, snapshot.head, () => undefined)
          const own = yield* PgClient
          assert.deepStrictEqual(yield* own`select current_user::text as name, count(*) as videos from video`, [
            { name: role, videos: 20 }
          ])
          assert.isFalse(yield* migrate({ backupsDirectory: undefined }))
        }).pipe(Effect.provide(plain))
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(EmptyDatabase)))
    })
  )

  it.live("replaces an import that had written nothing, unless the backup is of an older schema", () =>
    Effect.gen(function* () {
      const olderChanges = schemaFiles.changes.filter(({ id }) => id < 78)
      const older = { ...schemaFiles, changes: olderChanges, repeatable: [] }
      for (const schema of [schemaFiles, older]) {
        const dump = join(root, `moved-${schema.changes.length}.sql.gz`)
        const { head } = yield* Effect.gen(function* () {
          yield* migrate({ backupsDirectory: undefined, schema })
          yield* (yield* PgClient)`insert into instance_setting (key, value) values ('installed_at', '1')`
          const connection = yield* PgConnection.make((yield* PgClient).config)
          yield* beginSnapshot(connection)
          const { steps } = yield* readApplied(yield* PgClient)
          const made = { format: 1, program: "test", createdAt: "2026-01-01", origin: null, schema: steps } as const
          yield* writeDump(connection, made, dump)
          return { head: made }
        }).pipe(Effect.scoped, Effect.provide(Layer.fresh(EmptyDatabase)))

        yield* Effect.gen(function* () {
          yield* migrate({ backupsDirectory: undefined })
          yield* beginMoving("another instance")
          assert.include((yield* Effect.flip(movingFinished)).message, "did not finish")
          assert.isFalse(yield* holdsInstance())
          const restore = restoreDatabase(dump, head, () => undefined)
          if (schema === older) {
            assert.include((yield* Effect.flip(restore)).message, "schema change 78 (moving-in)")
            return assert.isFalse(yield* holdsInstance())
          }
          yield* restore
          assert.isTrue(yield* holdsInstance())
          yield* movingFinished
        }).pipe(Effect.provide(Layer.fresh(EmptyDatabase)))
      }
    })
  )
})
