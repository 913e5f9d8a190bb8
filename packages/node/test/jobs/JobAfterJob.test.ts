import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/jobs/JobBoard"
import { Effect, Layer, Queue } from "effect"
import { TestDatabase } from "../../../storage/test/support/TestDatabase.ts"
import { jobAfterJob, ringing } from "../../src/jobs/JobAfterJob.ts"

const Board = JobBoard.layer.pipe(Layer.provideMerge(TestDatabase))

layer(Board, { excludeTestServices: true })("Workers of the board", (it) => {
  it.effect("are rung for jobs of their types, wherever those come from, and for no others", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const mine = yield* Queue.unbounded<void>()
      const all = yield* Queue.unbounded<void>()
      const heard = (bell: Queue.Queue<void>, types?: ReadonlyArray<string>) =>
        Effect.forkScoped(ringing(board, Queue.offer(bell, undefined), types))
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

  it.effect("begin all that one ring stands for", () =>
    Effect.gen(function* () {
      const board = yield* JobBoard
      const bell = yield* Queue.sliding<void>(1)
      const looked = yield* Queue.unbounded<void>()
      const begun = yield* Queue.unbounded<void>()
      const worker = jobAfterJob({
        claim: Effect.tap(board.claim(["several"], "test", "1 minute"), () => Queue.offer(looked, undefined)),
        handle: () => Effect.andThen(Queue.offer(begun, undefined), Effect.never),
        rung: Queue.take(bell),
        ring: Effect.asVoid(Queue.offer(bell, undefined))
      })
      for (let n = 0; n < 3; n++) yield* Effect.forkScoped(worker)
      for (let n = 0; n < 3; n++) yield* Queue.take(looked)
      for (let n = 0; n < 3; n++) yield* board.enqueue({ type: "several", payload: null })
      yield* Queue.offer(bell, undefined)
      // By themselves they look every five seconds.
      for (let n = 0; n < 3; n++) yield* Queue.take(begun).pipe(Effect.timeout("3 seconds"))
    })
  )
})
