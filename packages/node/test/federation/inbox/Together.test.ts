import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { together } from "../../../src/federation/inbox/Together.ts"

/** Writes numbers when it is let to, twice as big; fails for those below zero. */
const writer = (most: number) => {
  const groups: Array<ReadonlyArray<number>> = []
  const gate = Deferred.makeUnsafe<void>()
  const write = together(
    (group: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        groups.push(group)
        yield* Deferred.await(gate)
        if (group.some((it) => it < 0)) return yield* Effect.fail(`below zero: ${group.join(" ")}`)
        return group.map((it) => it * 2)
      }),
    (it) => Math.abs(it),
    most
  )
  return { groups, gate, write }
}

/** Starts writing, and gives the others their turn until it has been asked for. */
const ask = (write: (one: number) => Effect.Effect<number, string>, one: number) =>
  Effect.tap(Effect.forkChild(write(one)), () => Effect.yieldNow)

it.effect("those who come meanwhile are written as one group, by weight", () =>
  Effect.gen(function* () {
    const { gate, groups, write } = writer(10)
    const fibers = yield* Effect.forEach([1, 4, 6, 20, 2, 3], (one) => ask(write, one))
    yield* Deferred.succeed(gate, undefined)
    const results = yield* Effect.forEach(fibers, Fiber.join)
    assert.deepStrictEqual(results, [2, 8, 12, 40, 4, 6])
    assert.deepStrictEqual(groups, [[1], [4, 6], [20], [2, 3]])
  })
)

it.effect("nobody fails for others", () =>
  Effect.gen(function* () {
    const { gate, groups, write } = writer(10)
    const fibers = yield* Effect.forEach([1, 2, -3, 4], (one) => ask(write, one))
    yield* Deferred.succeed(gate, undefined)
    const exits = yield* Effect.forEach(fibers, Fiber.await)
    assert.deepStrictEqual(exits, [Exit.succeed(2), Exit.succeed(4), Exit.fail("below zero: -3"), Exit.succeed(8)])
    assert.deepStrictEqual(groups, [[1], [2, -3, 4], [2], [-3], [4]])
  })
)

it.effect("who is interrupted leaves the others to the next one", () =>
  Effect.gen(function* () {
    const { gate, groups, write } = writer(10)
    const first = yield* ask(write, 1)
    const [second, third, fourth] = yield* Effect.forEach([2, 3, 4], (one) => ask(write, one))
    // One that has not begun, and the one that writes.
    yield* Fiber.interrupt(third!)
    yield* Fiber.interrupt(first)
    yield* Effect.yieldNow
    yield* Fiber.interrupt(second!)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(fourth!), 8)
    assert.deepStrictEqual(groups, [[1], [2, 4], [4]])
    assert.strictEqual(yield* write(5), 10)
  })
)
