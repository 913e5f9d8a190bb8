import { diskPath } from "../../support/objects/DiskPath.ts"
import { afterAll, assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StorageCheck } from "../../../src/instance/inventory/StorageCheck.ts"
import * as Disk from "../../../src/platform/objects/DiskObjectStore.ts"
import { putBytes } from "../../../src/platform/objects/ObjectBytes.ts"
import { intendObjects } from "../../../src/platform/objects/ObjectIntents.ts"
import { type Bucket, buckets, type ObjectKey } from "../../../src/platform/objects/ObjectKey.ts"
import { ObjectStore } from "../../../src/platform/objects/ObjectStore.ts"
import { Removals } from "../../../src/platform/objects/Removals.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const root = mkdtempSync(join(tmpdir(), "kinora-check-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const directories = Object.fromEntries(buckets.map((bucket) => [bucket, join(root, bucket)])) as Record<Bucket, string>
const Services = Layer.merge(StorageCheck.layer, Removals.layer).pipe(
  Layer.provideMerge(Disk.layer({ directories })),
  Layer.provideMerge(TestDatabase)
)

const age = Duration.days(3)
const old = new Date("2020-01-01")

/** Stores a file, as it would lie there after years unless it is to be new. */
const store = Effect.fnUntraced(function* (key: ObjectKey, isNew = false) {
  const objects = yield* ObjectStore
  yield* putBytes(objects, key, "bytes")
  const path = yield* diskPath(objects, key)
  if (!isNew) utimesSync(path, old, old)
  return path
})

const picture = (): ObjectKey => ({ bucket: "thumbnails", name: `${randomUUID()}.jpg` })

layer(Services, { excludeTestServices: true })("StorageCheck", (it) => {
  it.effect(
    "finds files that belong to no row, and leaves alone what is young, named, intended or the operator's",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const check = yield* StorageCheck
        const removals = yield* Removals
        yield* seedVideos({ videos: 1, accounts: 1 })
        const [video] = yield* sql<{ id: number; uuid: string }>`select id, uuid from video`
        const [named, intended, young, orphan, later] = [picture(), picture(), picture(), picture(), picture()]
        yield* sql`insert into thumbnail (video_id, type, filename, width, height) values (${video!.id}, 1, ${named.name}, 1, 1)`
        yield* intendObjects(sql, [intended])
        const hls: ObjectKey = { bucket: "streaming_playlists", name: `${video!.uuid}/${randomUUID()}.m3u8` }
        const ofOperator: ObjectKey = { bucket: "well_known", name: "security.txt" }
        for (const key of [named, intended, later, ofOperator]) yield* store(key)
        yield* store(young, true)
        const paths = [yield* store(orphan), yield* store(hls)]

        const found = (yield* Stream.runCollect(check.orphans(age))).map(({ key }) => key)
        assert.sameDeepMembers([...found], [orphan, hls, later])
        // A row names one of them before they are queued, as when a video's privacy changes.
        yield* sql`insert into thumbnail (video_id, type, filename, width, height) values (${video!.id}, 2, ${later.name}, 1, 1)`
        assert.strictEqual(yield* check.remove(found), 2)
        assert.strictEqual(yield* check.remove(found), 0)
        assert.strictEqual(yield* removals.execute(10), 2)
        assert.deepStrictEqual(
          paths.map((path) => existsSync(path)),
          [false, false]
        )
        assert.deepStrictEqual([...(yield* Stream.runCollect(check.orphans(age)))], [])
        assert.isTrue(existsSync(join(directories.thumbnails, later.name)))
      })
  )

  it.effect("finds rows whose file is missing, and forgets copies that can be had again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const check = yield* StorageCheck
      const [lost, copy] = [picture(), picture()]
      yield* sql`delete from thumbnail`
      yield* sql`insert into thumbnail (video_id, type, filename, width, height)
        select id, 1, ${lost.name}, 1, 1 from video limit 1`
      yield* sql`insert into remote_copy (bucket, name, size) values (${copy.bucket}, ${copy.name}, 1)`
      const ours = (all: ReadonlyArray<{ readonly bucket: string; readonly name: string }>) =>
        all.filter(({ name }) => name === lost.name || name === copy.name)
      const gone = ours(yield* Stream.runCollect(check.missing))
      assert.sameDeepMembers([...gone], [lost, copy])
      assert.strictEqual(yield* check.forget(gone), 1)
      assert.deepStrictEqual(ours(yield* Stream.runCollect(check.missing)), [lost])
    })
  )
})
