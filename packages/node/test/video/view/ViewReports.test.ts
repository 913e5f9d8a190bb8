import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ViewReports } from "../../../src/video/view/ViewReports.ts"
import { peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"

const hash = (videoId: number, n: number) => `${videoId}`.padStart(16, "0") + n.toString(16).padStart(16, "0")

const report = (videoId: number, viewer: number, position = 0) => ({
  videoId,
  viewer: hash(videoId, viewer),
  address: hash(videoId, viewer),
  position,
  sought: false,
  client: null,
  device: null,
  operatingSystem: null
})

const sessions = Effect.fn("sessions")(function* (videoId: number) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ count: number; furthest: number }>`
    select count(*)::int as count, max(position) as furthest from video_viewing where video_id = ${videoId}`
  return rows[0]!
})

/** What one more node over the same database has. */
const anotherNode = Effect.map(Layer.build(Layer.fresh(ViewReports.layer)), (context) =>
  ViewReports.pipe(Effect.provide(context))
)

layer(peopledNode, { excludeTestServices: true })("Reports that wait", (it) => {
  it.effect("wait on when they could not be written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const reports = yield* ViewReports
      const { id } = yield* addVideo({ owner: "owner" })
      yield* reports.add(report(id, 1, 1))
      yield* reports.add(report(id, 1, 2))
      yield* sql`alter table video_viewing rename to elsewhere`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(reports.flush)))
      yield* reports.add(report(id, 1, 3))
      yield* sql`alter table elsewhere rename to video_viewing`
      yield* reports.flush
      assert.deepStrictEqual(yield* sessions(id), { count: 1, furthest: 3 })
    })
  )

  it.effect("are written by those who bring more than there is room for", () =>
    Effect.gen(function* () {
      const reports = yield* ViewReports
      const { id } = yield* addVideo({ owner: "owner" })
      for (let viewer = 1; viewer <= 11_000; viewer++) yield* reports.add(report(id, viewer))
      assert.strictEqual((yield* sessions(id)).count, 10_000)
      // One who floods takes the room of a few.
      for (let n = 1; n <= 50_000; n++) yield* reports.add(report(id, 1, n))
      assert.strictEqual((yield* sessions(id)).count, 10_000)
      yield* reports.flush
      assert.deepStrictEqual(yield* sessions(id), { count: 11_000, furthest: 50_000 })
    })
  )

  it.effect("of one viewer at several nodes are one session, without one node holding up another", () =>
    Effect.gen(function* () {
      const nodes = yield* Effect.all([anotherNode, anotherNode, anotherNode]).pipe(
        Effect.flatMap((all) => Effect.all(all))
      )
      const { id } = yield* addVideo({ owner: "owner" })
      for (let round = 0; round < 5; round++) {
        for (const [n, node] of nodes.entries()) {
          for (let i = 0; i < 300; i++) yield* node.add(report(id, 1 + ((i * (n + 7)) % 300), round))
        }
        yield* Effect.all(
          nodes.map((node) => node.flush),
          { concurrency: "unbounded" }
        )
      }
      assert.deepStrictEqual(yield* sessions(id), { count: 300, furthest: 4 })
    }).pipe(Effect.scoped)
  )

  it.effect("are written when the node stops", () =>
    Effect.gen(function* () {
      const { id } = yield* addVideo({ owner: "owner" })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const node = yield* Effect.flatten(anotherNode)
          yield* node.add(report(id, 1))
        })
      )
      assert.strictEqual((yield* sessions(id)).count, 1)
    })
  )
})
