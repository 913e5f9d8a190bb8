import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Duration, Effect, Exit, Fiber, Queue, Ref, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"

const statusOf = (name: string) =>
  Supervisor.use((supervisor) => Effect.map(supervisor.states, (states) => states.find((state) => state.name === name)))

/** Lets everything that is ready run, without moving the clock. */
const settle = TestClock.adjust(0)

/** A task that announces each start and then does what the test sends. */
const puppet = Effect.gen(function* () {
  const starts = yield* Ref.make(0)
  const orders = yield* Queue.unbounded<Effect.Effect<never, string>>()
  const task = Effect.andThen(
    Ref.update(starts, (count) => count + 1),
    Effect.flatten(Queue.take(orders))
  )
  return { starts: Ref.get(starts), task, order: (effect: Effect.Effect<never, string>) => Queue.offer(orders, effect) }
})

it.layer(Supervisor.layer)("Supervisor (shared)", (it) => {
  it.effect("starts a killed task again, whatever killed it, and shows why", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const { order, starts, task } = yield* puppet
      yield* supervisor.run("mortal", task)
      yield* settle
      assert.strictEqual((yield* statusOf("mortal"))?.status, "running")

      for (const [index, death] of [Effect.fail("typed"), Effect.die("defect"), Effect.interrupt].entries()) {
        yield* order(death)
        yield* settle
        const dead = yield* statusOf("mortal")
        assert.strictEqual(dead?.status, "backing-off")
        if (index === 0) assert.include(dead?.lastCause ?? "", "typed")
        yield* TestClock.adjust(Duration.seconds(2 ** index))
        assert.strictEqual((yield* statusOf("mortal"))?.status, "running")
        assert.strictEqual(yield* starts, index + 2)
        assert.strictEqual((yield* statusOf("mortal"))?.restarts, index + 1)
      }
    })
  )
})

describe("Supervisor", () => {
  it.effect("doubles the delay up to the longest one", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const { order, starts, task } = yield* puppet
      yield* supervisor.run("slow", task, { maxDelay: Duration.seconds(3), maxRestarts: 10 })
      for (const [index, seconds] of [1, 2, 3, 3].entries()) {
        yield* order(Effect.die("again"))
        yield* TestClock.adjust(Duration.millis(seconds * 1000 - 1))
        assert.strictEqual(yield* starts, index + 1)
        yield* TestClock.adjust(Duration.millis(1))
        assert.strictEqual(yield* starts, index + 2)
      }
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("ends the process with the cause of a task that cannot live", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      yield* supervisor.run("bystander", Effect.never)
      yield* supervisor.run("doomed", Effect.die("no database"), { maxRestarts: 3 })
      const joined = yield* Effect.forkChild(Effect.flip(supervisor.join))
      yield* TestClock.adjust(Duration.seconds(1 + 2 + 4))
      const error = yield* Fiber.join(joined)
      assert.strictEqual(error.task, "doomed")
      assert.strictEqual(error.restarts, 3)
      assert.include(Cause.pretty(error.cause), "no database")
      assert.strictEqual((yield* statusOf("bystander"))?.status, "stopped")
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("gives the budget back after healthy time", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const { order, starts, task } = yield* puppet
      yield* supervisor.run("lucky", task, { maxRestarts: 2, healthyAfter: Duration.seconds(30) })
      const joined = yield* Effect.forkChild(supervisor.join)
      for (let life = 1; life <= 6; life++) {
        yield* TestClock.adjust(Duration.seconds(life % 2 === 0 ? 30 : 5))
        yield* order(Effect.die("now and then"))
        yield* TestClock.adjust(Duration.seconds(2))
        assert.strictEqual(yield* starts, life + 1)
      }
      assert.isUndefined(joined.pollUnsafe())
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("stops the last started first, waiting for each", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const stopped = yield* Ref.make<ReadonlyArray<string>>([])
      const task = (name: string) =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.andThen(
            Effect.sleep("1 second"),
            Ref.update(stopped, (names) => [...names, name])
          )
        )
      for (const name of ["database", "jobs", "http"]) yield* supervisor.run(name, task(name))
      yield* settle
      const stopping = yield* Effect.forkChild(supervisor.stop)
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(yield* Ref.get(stopped), ["http", "jobs", "database"])
      assert.isTrue((yield* supervisor.states).every((state) => state.status === "stopped"))
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("stops those first, all at once, whose work others go on with", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const stopped = yield* Ref.make<ReadonlyArray<string>>([])
      const first = yield* Deferred.make<void>()
      const task = (name: string, before: Effect.Effect<unknown>) =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.andThen(
            before,
            Ref.update(stopped, (names) => [...names, name])
          )
        )
      // The last started would be stopped before the first one is.
      yield* supervisor.run("first", task("worker", Deferred.succeed(first, undefined)), { handsOver: true })
      yield* supervisor.run("second", task("worker", Deferred.await(first)), { handsOver: true })
      yield* supervisor.run("http", task("http", Effect.void))
      yield* settle
      yield* supervisor.stop
      assert.deepStrictEqual(yield* Ref.get(stopped), ["worker", "worker", "http"])
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("goes on after ten seconds in all without tasks that refuse to stop", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const release = yield* Deferred.make<void>()
      yield* supervisor.run(
        "stubborn",
        Effect.onInterrupt(Effect.never, () => Deferred.await(release))
      )
      yield* settle
      const stopping = yield* Effect.forkChild(supervisor.stop)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(stopping.pollUnsafe())
      yield* TestClock.adjust("1100 millis")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(stopping)))
      yield* Deferred.succeed(release, undefined)
    }).pipe(Effect.provide(Supervisor.layer))
  )

  it.effect("stops a task with the scope of whoever started it", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      const scope = yield* Scope.make()
      yield* Scope.provide(supervisor.run("guest", Effect.never), scope)
      yield* settle
      assert.strictEqual((yield* statusOf("guest"))?.status, "running")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* statusOf("guest"))?.status, "stopped")
      yield* supervisor.run("guest", Effect.never)
      assert.strictEqual((yield* statusOf("guest"))?.status, "running")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(supervisor.run("guest", Effect.never))))
    }).pipe(Effect.provide(Supervisor.layer))
  )
})
