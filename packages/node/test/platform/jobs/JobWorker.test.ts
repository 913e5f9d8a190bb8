import { assert, layer } from "@effect/vitest"
import type { ClaimedJob } from "@kinora/storage/platform/jobs/Job"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { Data, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { type JobAttempt, makeJobWorker } from "../../../src/platform/jobs/JobWorker.ts"
import { makeWakeup } from "../../../src/platform/jobs/Wakeup.ts"

class Broken extends Data.TaggedError("Broken")<{ readonly final: boolean }> {}

const Board = Layer.merge(JobBoard.layer, JobUpkeep.layer).pipe(Layer.provideMerge(TestDatabase))

const workerOf = (
  type: string,
  attempt: (job: ClaimedJob, board: JobBoard["Service"]) => Option.Option<JobAttempt<Broken>> | "unreadable"
) =>
  Effect.gen(function* () {
    const board = yield* JobBoard
    yield* board.enqueue({ type, payload: null, maxAttempts: 3 })
    return yield* makeJobWorker({
      types: [type],
      owner: `test ${type}`,
      heartbeatEvery: Duration.millis(20),
      wakeup: yield* makeWakeup,
      begin: (job) => Effect.sync(() => attempt(job, board))
    })
  })

const stateOf = (type: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ state: string; attempts: number; error: string | null }>`
      select state, attempts, error from job where type = ${type}`
    return rows[0]!
  })

layer(Board, { excludeTestServices: true })("An attempt at a job", (it) => {
  it.effect("completes the job, or finds that there is nothing to do", () =>
    Effect.gen(function* () {
      const done = yield* workerOf("done", (job, board) =>
        Option.some({ work: () => board.complete(job.lease), fail: () => Effect.void })
      )
      assert.isTrue(yield* done.once)
      assert.isFalse(yield* done.once)
      const needless = yield* workerOf("needless", () => Option.none())
      yield* needless.once
      assert.deepStrictEqual(
        [(yield* stateOf("done")).state, (yield* stateOf("needless")).state],
        ["completed", "completed"]
      )
    })
  )

  it.effect("fails for good when the payload cannot be read", () =>
    Effect.gen(function* () {
      yield* (yield* workerOf("unreadable", () => "unreadable")).once
      assert.strictEqual((yield* stateOf("unreadable")).state, "failed")
    })
  )

  it.effect("reports how it failed, and lives on after a defect", () =>
    Effect.gen(function* () {
      const failing = (type: string, work: Effect.Effect<never, Broken>) =>
        Effect.flatMap(
          workerOf(type, (job, board) =>
            Option.some({
              work: () => work,
              fail: (error) => board.fail(job.lease, error?._tag ?? "defect", { final: error?.final ?? false })
            })
          ),
          ({ once }) => once
        )
      yield* failing("broken", Effect.fail(new Broken({ final: true })))
      yield* failing("defective", Effect.die("bad"))
      assert.deepInclude(yield* stateOf("broken"), { state: "failed", error: "Broken" })
      assert.deepInclude(yield* stateOf("defective"), { state: "delayed", error: "defect" })
    })
  )

  it.effect("does not count while object storage is away, unless that lasts for more than a day", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const away = (reason: "unreachable" | "denied") => new S3Failure({ reason, message: `It is ${reason}` })
      const working = (type: string, failure: S3Failure) =>
        workerOf(type, (job, board) =>
          Option.some({ work: () => Effect.die(failure), fail: () => board.fail(job.lease, "counted") })
        )
      yield* (yield* working("stored", away("unreachable"))).once
      assert.deepInclude(yield* stateOf("stored"), { state: "delayed", attempts: 0, error: "It is unreachable" })
      yield* sql`update job set run_at = now(), created_at = now() - interval '25 hours' where type = 'stored'`
      yield* (yield* working("stored", away("unreachable"))).once
      const old = yield* sql`select state, attempts, error from job where type = 'stored' order by id limit 1`
      assert.deepInclude(old[0], { state: "delayed", attempts: 1, error: "counted" })
      yield* (yield* working("denied", away("denied"))).once
      assert.deepInclude(yield* stateOf("denied"), { state: "delayed", attempts: 1, error: "counted" })
    })
  )

  it.effect("is handed back unharmed when it is interrupted", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const worker = yield* workerOf("interrupted", () =>
        Option.some({
          work: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
          fail: () => Effect.void
        })
      )
      const fiber = yield* Effect.forkChild(worker.run)
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.deepInclude(yield* stateOf("interrupted"), { state: "waiting", attempts: 0 })
    })
  )

  it.effect("ends when the lease is lost, without a word on the job", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lost = yield* Deferred.make<void>()
      const worker = yield* workerOf("lost", (job) =>
        Option.some({
          // Another worker has the job.
          work: () =>
            Effect.andThen(
              Effect.orDie(sql`update job set lease_token = gen_random_uuid() where id = ${job.id}`),
              Effect.never
            ),
          fail: () => Effect.die("a lost job has not failed"),
          lost: Effect.asVoid(Deferred.succeed(lost, undefined))
        })
      )
      assert.isTrue(yield* worker.once)
      yield* Deferred.await(lost)
      assert.strictEqual((yield* stateOf("lost")).state, "active")
    })
  )
})
