import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { OperationFiguresReads } from "../../../src/instance/stats/OperationFigures.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(OperationFiguresReads.layer.pipe(Layer.provideMerge(TestDatabase)))("OperationFigures", (it) => {
  it.effect("tell what waits and for how long, and what has failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { read } = yield* OperationFiguresReads
      assert.deepInclude(yield* read, { jobs: [], oldestJobAge: 0, deliveries: 0, inbox: 0, removals: 0, uploads: 0 })
      yield* sql`insert into job (type, payload, run_at) values ('a', '{}', now() - interval '1 hour'), ('a', '{}', now())`
      yield* sql`insert into job (type, payload, state) values ('b', '{}', 'failed')`
      yield* sql`insert into object_removal (bucket, name) values ('thumbnails', 'x')`
      const figures = yield* read
      assert.sameDeepMembers(
        [...figures.jobs],
        [
          { type: "a", state: "waiting", count: 2 },
          { type: "b", state: "failed", count: 1 }
        ]
      )
      assert.isAtLeast(figures.oldestJobAge, 3600)
      assert.strictEqual(figures.removals, 1)
      assert.isTrue(figures.connections.some(({ count, state }) => state === "active" && count > 0))
      assert.isAbove(figures.transactions.committed, 0)
      assert.isAtLeast(figures.transactions.rolledBack, 0)
      assert.isAtLeast(figures.longestTransaction, 0)
      assert.isAtLeast(figures.longestQuery, 0)
      assert.isAtLeast(figures.temporaryBytes, 0)
      assert.isAbove(figures.databaseBytes, 1_000_000)
    })
  )
})
