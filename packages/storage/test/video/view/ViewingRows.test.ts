import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ViewReport, ViewingRows } from "../../../src/video/view/ViewingRows.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = ViewingRows.layer.pipe(Layer.provideMerge(TestDatabase))
const rules = { sessionSeconds: 3600, countAfterSeconds: 10, perAddress: 50 }
const hash = (n: number) => n.toString(16).padStart(32, "0")

const report = (videoId: number, viewer: number, said: Partial<ViewReport> = {}): ViewReport => ({
  videoId,
  viewer: hash(viewer),
  address: hash(viewer),
  position: 0,
  sought: false,
  age: 0,
  client: null,
  device: null,
  operatingSystem: null,
  ...said
})

layer(services, { excludeTestServices: true })("ViewingRows", (it) => {
  it.effect("finds sessions by index, whether or not the planner knows the table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* ViewingRows
      const { videoIds } = yield* seedVideos({ videos: 1, accounts: 1, files: 1 })
      const batch = (from: number) => Array.from({ length: 1000 }, (_, n) => report(videoIds[0]!, from + n))
      const written = (from: number) =>
        Effect.gen(function* () {
          const before = yield* read
          yield* rows.record(batch(from), rules)
          return (yield* read) - before
        })
      // Rows that sequential scans of this transaction's statements have read.
      const read = Effect.gen(function* () {
        yield* sql`select pg_stat_force_next_flush()`
        const found = yield* sql<{ read: number }>`
          select coalesce(sum(seq_tup_read), 0)::float8 as read from pg_stat_user_tables where relname = 'video_viewing'`
        return found[0]!.read
      })
      yield* sql`alter table video_viewing set (autovacuum_enabled = false)`
      for (let from = 0; from < 6000; from += 1000) yield* rows.record(batch(from), rules)
      const unknown = yield* written(6000)
      yield* sql`analyze video_viewing`
      const known = yield* written(7000)
      const again = yield* written(0)
      for (const rows of [unknown, known, again]) assert.isBelow(rows, 100_000)
    })
  )

  it.effect("counts what can have been watched, and no more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const gain = (formerPosition: number, elapsed: number, position: number, sought = false, soFar = 0) =>
        Effect.map(
          sql<{ gain: number }>`
            select view_gain(${formerPosition}, now() - ${elapsed}::float8 * interval '1 second',
              now() - ${elapsed}::float8 * interval '1 second', ${soFar}, ${position}, ${sought}, now()) as gain`,
          (rows) => rows[0]!.gain
        )
      assert.strictEqual(yield* gain(10, 5, 15), 5)
      // At twice the speed, with three seconds' grace, and not faster.
      assert.strictEqual(yield* gain(10, 5, 23), 13)
      assert.strictEqual(yield* gain(10, 5, 24), 0)
      assert.strictEqual(yield* gain(10, 5, 15, true), 0)
      assert.strictEqual(yield* gain(10, 5, 9), 0)
      // The grace is given once: what a session has had already is taken off.
      assert.strictEqual(yield* gain(10, 5, 15, false, 10), 3)
      assert.strictEqual(yield* gain(10, 5, 15, false, 40), 0)
    })
  )
})
