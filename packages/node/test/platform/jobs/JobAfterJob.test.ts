import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Deferred, Effect, Exit, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { makeWakeup } from "../../../src/platform/jobs/Wakeup.ts"
import { jobAfterJob, seenThrough, passNotices } from "../../../src/platform/jobs/JobAfterJob.ts"

const away = new DatabaseUnavailable({ retryAfterSeconds: 5 })

const Board = JobBoard.layer.pipe(Layer.provideMerge(TestDatabase))

layer(Board, { excludeTestServices: true })("Workers of the board", (it) => {
  it.effect("are woken for jobs of their types, wherever those come from, and for no others", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const mine = yield* Queue.unbounded<void>()
      const all = yield* Queue.unbounded<void>()
      const heard = (signals: Queue.Queue<void>, types?: ReadonlyArray<string>) =>
        Effect.forkScoped(passNotices(board, Queue.offer(signals, undefined), types))
      yield* heard(mine, ["mine"])
      yield* heard(all)
      yield* Queue.take(mine)
      yield* Queue.take(all)
      for (const type of ["other", "mine"]) yield* board.enqueue({ type, payload: null })
      yield* Queue.take(mine)
      for (let n = 0; n < 2; n++) yield* Queue.take(all)
      assert.deepStrictEqual([yield* Queue.size(mine), yield* Queue.size(all)], [0, 0])
    })
  )

  it.effect("begin all that one notice stands for", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const wakeup = yield* makeWakeup
      const looked = yield* Queue.unbounded<void>()
      const begun = yield* Queue.unbounded<void>()
      const worker = jobAfterJob({
        board,
        claim: Effect.tap(board.claim(["several"], "test", "1 minute"), () => Queue.offer(looked, undefined)),
        handle: () => Effect.andThen(Queue.offer(begun, undefined), Effect.never),
        wakeup,
        shared: true
      })
      for (let n = 0; n < 3; n++) yield* Effect.forkScoped(worker)
      for (let n = 0; n < 3; n++) yield* Queue.take(looked)
      for (let n = 0; n < 3; n++) yield* board.enqueue({ type: "several", payload: null })
      yield* wakeup.notify
      // By themselves they look every five seconds.
      for (let n = 0; n < 3; n++) yield* Queue.take(begun).pipe(Effect.timeout("3 seconds"))
    })
  )

  it.effect("give a job back at once that the database was away for, and go on", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const sql = yield* SqlClient
      let [refused, rounds] = [0, 0]
      const outage: JobBoard["Service"] = {
        ...board,
        leave: (lease) => Effect.suspend(() => (refused++ < 2 ? Effect.fail(away) : board.leave(lease)))
      }
      const done = yield* Deferred.make<number>()
      yield* board.enqueue({ type: "outage", payload: null, maxAttempts: 3 })
      const worker = jobAfterJob({
        board: outage,
        claim: board.claim(["outage"], "test", "10 minutes"),
        handle: ({ attempt, lease }) =>
          // In the first round nothing can be written down any more, not even that it went well.
          seenThrough(rounds++ === 0 ? Effect.fail(away) : Effect.void, (exit) =>
            Exit.isFailure(exit)
              ? Effect.fail(away)
              : Effect.ignore(Effect.andThen(board.complete(lease), Deferred.succeed(done, attempt)))
          ),
        wakeup: { notify: Effect.void, wait: Effect.never }
      })
      yield* Effect.forkScoped(worker)
      // The attempt counts, and its lease of ten minutes is not waited for.
      assert.strictEqual(yield* Deferred.await(done).pipe(Effect.timeout("8 seconds")), 2)
      const [row] = yield* sql<{ state: string }>`select state from job where type = 'outage'`
      assert.strictEqual(row?.state, "completed")
    })
  )
})
