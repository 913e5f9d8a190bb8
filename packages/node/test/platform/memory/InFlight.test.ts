import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { inFlight } from "../../../src/platform/memory/InFlight.ts"

describe("inFlight", () => {
  it.effect("runs once for all who ask while it runs, also when the first of them leaves", () =>
    Effect.gen(function* () {
      const shared = yield* inFlight<number, string>()
      const gate = yield* Deferred.make<void>()
      let runs = 0
      const work = Effect.andThen(
        Deferred.await(gate),
        Effect.sync(() => ++runs)
      )
      const first = yield* Effect.forkChild(shared("a", work))
      const second = yield* Effect.forkChild(shared("a", work))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(second), 1)
      assert.strictEqual(yield* shared("a", work), 2)
      assert.strictEqual(yield* Effect.flip(shared("b", Effect.fail("no"))), "no")
      assert.strictEqual(yield* shared("b", work), 3)
    })
  )
})
