import { assert, layer } from "@effect/vitest"
import { NodeRunnerJobs } from "@kinora/storage/runner/NodeRunnerJobs"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import { RunnerJobs } from "../../src/runner/job/RunnerJobs.ts"
import { watch } from "../../src/runner/RunnerTasks.ts"
import { testNode } from "../instance/about/TestNode.ts"
import { People } from "../video/list/People.ts"
import { eventually } from "./local/LocalNode.ts"
import { accept, addJob, job, manage, post, runner, stateOf } from "./Runners.ts"

const node = People.layer.pipe(
  Layer.provideMerge(
    testNode({
      remote_runners: { stalled_jobs: { vod: "6 seconds", live: "2 seconds" } },
      transcoding: { remote_runners: { enabled: true } }
    })
  )
)

const leaseOf = Effect.fnUntraced(function* (uuid: string) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ seconds: number }>`
    select extract(epoch from lease_until - now())::float8 as seconds from runner_job where uuid = ${uuid}::uuid`
  return rows[0]!.seconds
})

layer(node, { excludeTestServices: true, timeout: 60_000 })("Runners that fall silent", (it) => {
  it.effect("have the time of a lease from when they could be heard, and lose the job after it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { runnerToken } = yield* runner()
      const living = yield* addJob()
      const silent = yield* addJob()
      const tokens = yield* accept(living.uuid, runnerToken)
      yield* accept(silent.uuid, runnerToken)
      // The node was away for an hour.
      yield* sql`update runner_job set lease_until = now() - interval '1 hour', updated_at = now() - interval '1 hour'`
      yield* Effect.forkScoped(watch)
      assert.strictEqual((yield* post(`/jobs/${living.uuid}/update`, { ...tokens, progress: 7 })).status, 204)
      assert.deepStrictEqual([yield* stateOf(living.uuid), yield* stateOf(silent.uuid)], [2, 2])
      const beat = post(`/jobs/${living.uuid}/update`, { ...tokens })
      yield* eventually(
        Effect.andThen(
          beat,
          Effect.map(stateOf(silent.uuid), (state) => state === 1)
        )
      )
      assert.strictEqual(yield* stateOf(living.uuid), 2)
      yield* eventually(Effect.map(stateOf(living.uuid), (state) => state === 1))
    }).pipe(Effect.scoped)
  )

  it.effect("are waited for by the kind of the job", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { runnerToken } = yield* runner()
      const film = yield* addJob()
      const uuid = randomUUID()
      yield* sql`insert into runner_job (uuid, type, state, priority, payload, private_payload)
        values (${uuid}::uuid, 'live-rtmp-hls-transcoding', 1, 10, '{}', '{}')`
      const tokens = yield* accept(uuid, runnerToken)
      yield* accept(film.uuid, runnerToken)
      assert.isAtMost(yield* leaseOf(uuid), 2)
      assert.isAbove(yield* leaseOf(film.uuid), 2)
      yield* sql`update runner_job set updated_at = now() - interval '1 hour' where uuid = ${uuid}::uuid`
      assert.strictEqual((yield* post(`/jobs/${uuid}/update`, { ...tokens })).status, 204)
      assert.isAtMost(yield* leaseOf(uuid), 2)
      yield* sql`update runner_job set lease_until = now() - interval '1 second' where uuid = ${uuid}::uuid`
      yield* (yield* RunnerJobs).takeBack
      // What was streamed meanwhile cannot be had again.
      assert.strictEqual(yield* stateOf(uuid), 4)
    })
  )

  it.effect("are noticed once, by whichever node it is, and nodes never take one job both", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from runner_job`
      const nodes = yield* NodeRunnerJobs
      const added = yield* Effect.all(Array.from({ length: 4 }, () => addJob()))
      const claim = (name: string) =>
        nodes.claim({
          types: ["vod-hls-transcoding"],
          node: name,
          tokenHash: randomBytes(32),
          lease: "1 minute",
          pendingFor: 0
        })
      const names = ["one", "two", "one", "two", "one", "two", "one", "two", "one", "two"]
      const claims = yield* Effect.forEach(names, claim, { concurrency: 10 })
      assert.sameMembers(
        claims.flatMap((one) => (Option.isSome(one) ? [one.value.uuid] : [])),
        added.map(({ uuid }) => uuid)
      )
      yield* sql`update runner_job set lease_until = now() - interval '1 second'`
      const { takeBack } = yield* RunnerJobs
      yield* Effect.all([takeBack, takeBack, takeBack, nodes.endFormer("one"), nodes.endFormer("two")], {
        concurrency: 5
      })
      const rows = yield* sql<{ state: number; failures: number }>`select state::integer, failures from runner_job`
      assert.deepStrictEqual(
        rows.map(({ failures, state }) => [state, failures]),
        [
          [1, 1],
          [1, 1],
          [1, 1],
          [1, 1]
        ]
      )
    })
  )

  it.effect("leave jobs that can be begun again, with what waits for them", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const parent = yield* addJob()
      const child = yield* addJob({ parentId: parent.id })
      const grandchild = yield* addJob({ parentId: child.id })
      const states = Effect.all([stateOf(parent.uuid), stateOf(child.uuid), stateOf(grandchild.uuid)])
      const retry = (uuid: string) => Effect.map(manage("POST", `/jobs/${uuid}/retry`), ({ status }) => status)
      assert.strictEqual(yield* retry(parent.uuid), 400)
      for (let n = 0; n < 5; n++) {
        const tokens = yield* accept(parent.uuid, runnerToken)
        yield* post(`/jobs/${parent.uuid}/error`, { ...tokens, message: "no" })
      }
      assert.deepStrictEqual(yield* states, [4, 7, 7])
      assert.deepStrictEqual([yield* retry(child.uuid), yield* retry(randomUUID())], [409, 404])
      assert.strictEqual(yield* retry(parent.uuid), 204)
      assert.deepStrictEqual(yield* states, [1, 5, 5])
      assert.deepInclude(yield* job(parent.uuid), { failures: 0, error: null, startedAt: null, finishedAt: null })
      assert.strictEqual((yield* manage("POST", `/jobs/${child.uuid}/cancel`)).status, 204)
      assert.deepStrictEqual(yield* states, [1, 6, 8])
      assert.strictEqual(yield* retry(child.uuid), 204)
      assert.deepStrictEqual(yield* states, [1, 5, 5])
    })
  )
})
