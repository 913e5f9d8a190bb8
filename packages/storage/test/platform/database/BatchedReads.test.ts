import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { makeBatchedReads } from "../../../src/platform/database/BatchedReads.ts"

it.effect("reads that are put together begin after they were asked for, and name what they find", () =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const statements: Array<ReadonlyArray<number>> = []
    let gate = yield* Deferred.make<void>()
    let value = 0
    const read = makeBatchedReads<number, string, string>({
      nameOf: String,
      atMost: 3,
      scope,
      read: Effect.fnUntraced(function* (keys) {
        statements.push(keys)
        const seen = value
        yield* Deferred.await(gate)
        if (keys.includes(13)) return yield* Effect.fail("unlucky")
        return new Map(keys.filter((key) => key < 10).map((key) => [String(key), `${key} at ${seen}`]))
      })
    })

    const first = yield* Effect.forkChild(read(1), { startImmediately: true })
    yield* Effect.yieldNow
    assert.deepStrictEqual(statements, [[1]])
    value = 1
    const rest = yield* Effect.forkChild(Effect.all([1, 1, 2, 99, 3, 4].map(read), { concurrency: "unbounded" }), {
      startImmediately: true
    })
    yield* Effect.yieldNow
    assert.lengthOf(statements, 1, "the others wait")
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(first), "1 at 0")
    assert.deepStrictEqual(yield* Fiber.join(rest), ["1 at 1", "1 at 1", "2 at 1", undefined, "3 at 1", "4 at 1"])
    assert.deepStrictEqual(statements, [[1], [1, 2, 99], [3, 4]])

    assert.strictEqual(yield* Effect.flip(read(13)), "unlucky")
    assert.strictEqual(yield* read(5), "5 at 1", "one that failed does not stop the next")

    // Who asks and goes away takes nothing from the others.
    gate = yield* Deferred.make<void>()
    const leaving = yield* Effect.forkChild(read(6), { startImmediately: true })
    const staying = yield* Effect.forkChild(read(6), { startImmediately: true })
    yield* Effect.yieldNow
    yield* Fiber.interrupt(leaving)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(staying), "6 at 1")
  })
)

it.effect("nobody waits for ever when the scope of the readings is closed", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const read = makeBatchedReads<number, string, never>({
      nameOf: String,
      atMost: 1,
      scope,
      read: () => Effect.never
    })
    const asking = yield* Effect.forkChild(Effect.all([read(1), read(2)], { concurrency: 2 }), {
      startImmediately: true
    })
    yield* Effect.yieldNow
    yield* Scope.close(scope, Exit.void)
    assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(asking)))
  })
)
