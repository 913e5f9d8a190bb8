import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeCountedTotals } from "../../../src/video/read/CountedTotals.ts"

/** Totals over something that grows by one with each counting, of which each takes so long. */
const counting = Effect.fnUntraced(function* (millis: number) {
  const totals = makeCountedTotals<never>(yield* Effect.scope)
  let counted = 0
  const count = Effect.andThen(
    Effect.sleep(millis),
    Effect.sync(() => ++counted)
  )
  const ask = Effect.gen(function* () {
    const asked = yield* Effect.forkChild(totals("key", count), { startImmediately: true })
    yield* TestClock.adjust(millis)
    return yield* Fiber.join(asked)
  })
  return { ask, count, totals, counted: () => counted }
})

it.effect("a total that took long is told for a minute, and counted anew for those who come later", () =>
  Effect.gen(function* () {
    const { ask, counted } = yield* counting(50)
    assert.strictEqual(yield* ask, 1)
    yield* TestClock.adjust("29 seconds")
    assert.strictEqual(yield* ask, 1)
    assert.strictEqual(counted(), 1)
    yield* TestClock.adjust("2 seconds")
    // Told at once what is known, while it is being counted.
    assert.strictEqual(yield* ask, 1)
    assert.strictEqual(yield* ask, 2)
    yield* TestClock.adjust("61 seconds")
    assert.strictEqual(yield* ask, 3)
  })
)

it.effect("who asks at the same time waits for one counting", () =>
  Effect.gen(function* () {
    const { count, counted, totals } = yield* counting(50)
    const asked = yield* Effect.forkChild(
      Effect.all([totals("key", count), totals("key", count), totals("key", count)], { concurrency: "unbounded" }),
      { startImmediately: true }
    )
    yield* TestClock.adjust(50)
    assert.deepStrictEqual(yield* Fiber.join(asked), [1, 1, 1])
    assert.strictEqual(counted(), 1)
  })
)

it.effect("what is counted in a moment is counted each time", () =>
  Effect.gen(function* () {
    const { ask } = yield* counting(2)
    assert.deepStrictEqual([yield* ask, yield* ask, yield* ask], [1, 2, 3])
  })
)

it.effect("a counting goes on when who asked for it is gone, and one that failed is not remembered", () =>
  Effect.gen(function* () {
    const { count, totals } = yield* counting(50)
    const first = yield* Effect.forkChild(totals("key", count), { startImmediately: true })
    const second = yield* Effect.forkChild(totals("key", count), { startImmediately: true })
    yield* Fiber.interrupt(first)
    yield* TestClock.adjust(50)
    assert.strictEqual(yield* Fiber.join(second), 1)

    const failing = makeCountedTotals<string>(yield* Effect.scope)
    assert.strictEqual(yield* Effect.flip(failing("key", Effect.fail("gone"))), "gone")
    assert.strictEqual(yield* failing("key", Effect.succeed(7)), 7)
  })
)

it.effect("who has an estimate is told it when counting takes long, and the count later", () =>
  Effect.gen(function* () {
    const totals = makeCountedTotals<never>(yield* Effect.scope)
    const count = Effect.as(Effect.sleep(1000), 7)
    const first = yield* Effect.forkChild(totals("key", count, 10), { startImmediately: true })
    yield* TestClock.adjust(200)
    assert.strictEqual(yield* Fiber.join(first), 10)
    yield* TestClock.adjust(900)
    assert.strictEqual(yield* totals("key", count, 10), 7)

    for (let n = 0; n < 8; n++) {
      yield* Effect.forkChild(totals(`other ${n}`, Effect.never, 1), { startImmediately: true })
    }
    assert.strictEqual(yield* totals("one more", Effect.never, 11), 11)
  })
)

it.effect("what cannot be counted is estimated, and not counted again by each who asks", () =>
  Effect.gen(function* () {
    const totals = makeCountedTotals<string>(yield* Effect.scope)
    let tries = 0
    const count = Effect.andThen(
      Effect.sleep(100),
      Effect.suspend(() => Effect.fail(`try ${++tries}`))
    )
    for (let n = 0; n < 3; n++) {
      const asked = yield* Effect.forkChild(totals("key", count, 10), { startImmediately: true })
      yield* TestClock.adjust(100)
      assert.strictEqual(yield* Fiber.join(asked), 10)
    }
    assert.strictEqual(tries, 1)
  })
)
