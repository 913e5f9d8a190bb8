import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RunnerResultObjects } from "../../src/runner/RunnerResultObjects.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const world = RunnerResultObjects.layer.pipe(Layer.provideMerge(TestDatabase))

/** Names of objects that are removed now, and of those that are later unless they are kept. */
const removals = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ name: string; now: boolean }>`
    select name, not_before <= now() as now from object_removal where bucket = 'staged_uploads' order by name`
  return rows.map(({ name, now }) => [name, now])
})

layer(world)("files of results of runners in object storage", (it) => {
  it.effect("are kept once they are added, and go with their result", () =>
    Effect.gen(function* () {
      const objects = yield* RunnerResultObjects
      yield* objects.intend("first", "video.mp4")
      assert.deepStrictEqual(yield* removals, [["first-video.mp4", false]])
      yield* objects.add("first", "video.mp4", 10)
      assert.deepStrictEqual(yield* removals, [])
      yield* objects.drop("another")
      assert.deepStrictEqual(yield* removals, [])
      yield* objects.drop("first")
      yield* objects.drop("first")
      assert.deepStrictEqual(yield* removals, [["first-video.mp4", true]])
    })
  )

  it.effect("go some time after their node was killed, unless a job needs them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const objects = yield* RunnerResultObjects
      yield* sql`delete from object_removal`
      for (const result of ["needed", "over", "unrecorded"]) yield* objects.add(result, "video.mp4", 10)
      for (const [result, state] of [
        ["needed", "waiting-children"],
        ["over", "completed"]
      ]) {
        yield* sql`
          with j as (insert into job (type, payload, state) values ('video-transcoding', '{}', ${state}) returning id)
          insert into runner_job (type, state, priority, payload, private_payload, job_id, result)
          select 'vod-hls-transcoding', 3, 100, '{}', '{}', id, ${result} from j`
      }
      yield* objects.dropUnneeded(600)
      assert.deepStrictEqual(yield* removals, [])
      yield* sql`update runner_result_object set created_at = now() - interval '11 minutes'`
      yield* objects.dropUnneeded(600)
      assert.deepStrictEqual(yield* removals, [
        ["over-video.mp4", true],
        ["unrecorded-video.mp4", true]
      ])
    })
  )
})
