import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Queue, Ref } from "effect"
import { ClusterLayer } from "../../../src/platform/cluster/ClusterLayer.ts"
import { hostActors } from "../../../src/platform/cluster/HostActors.ts"

const a = "a.example"
const b = "b.example"

describe("HostActors", () => {
  it.live("one run at a time a host, and one more for what came meanwhile", () =>
    Effect.gen(function* () {
      const began = yield* Queue.unbounded<string>()
      const gate = yield* Queue.unbounded<void>()
      const atOnce = yield* Ref.make(0)
      const most = yield* Ref.make(0)
      const actors = yield* hostActors("InboxTest", (host) =>
        Effect.gen(function* () {
          const now = yield* Ref.updateAndGet(atOnce, (n) => n + (host === a ? 1 : 0))
          yield* Ref.update(most, (n) => Math.max(n, now))
          yield* Queue.offer(began, host)
          yield* Queue.take(gate)
          yield* Ref.update(atOnce, (n) => n - (host === a ? 1 : 0))
        })
      )
      yield* actors.wake(a)
      assert.strictEqual(yield* Queue.take(began), a)
      for (let n = 0; n < 50; n++) yield* actors.wake(a)
      yield* Queue.offer(gate, undefined)
      assert.strictEqual(yield* Queue.take(began), a)
      yield* Queue.offer(gate, undefined)
      // Fifty wakes during the first run made one more: what is seen next is what is asked next.
      yield* actors.wake(b)
      assert.strictEqual(yield* Queue.take(began), b)
      yield* Queue.offer(gate, undefined)
      assert.strictEqual(yield* Ref.get(most), 1)
    }).pipe(Effect.scoped, Effect.provide(ClusterLayer), Effect.timeout("20 seconds"))
  )

  it.live("hosts take turns, a defect ends one run alone, and a run may go on by waking its host", () =>
    Effect.gen(function* () {
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const done = yield* Deferred.make<void>()
      const runs = new Map<string, number>()
      const started = yield* Deferred.make<{ readonly wake: (host: string) => Effect.Effect<void> }>()
      const actors = yield* hostActors(
        "TurnsTest",
        (host) =>
          Effect.gen(function* () {
            const self = yield* Deferred.await(started)
            const nth = (runs.get(host) ?? 0) + 1
            runs.set(host, nth)
            yield* Ref.update(seen, (all) => [...all, `${host} ${nth}`])
            if (host === a && nth < 3) {
              yield* self.wake(host)
              if (nth === 1) return yield* Effect.die(new Error("a row of this host is broken"))
            }
            if ([...runs.values()].reduce((sum, n) => sum + n, 0) === 4) yield* Deferred.succeed(done, undefined)
          }),
        { concurrency: 1 }
      )
      yield* actors.wake(a)
      yield* actors.wake(b)
      yield* Deferred.succeed(started, actors)
      yield* Deferred.await(done)
      assert.deepStrictEqual([...(yield* Ref.get(seen))].sort(), [`${a} 1`, `${a} 2`, `${a} 3`, `${b} 1`])
      // b had its turn before a was through.
      assert.isBelow((yield* Ref.get(seen)).indexOf(`${b} 1`), 3)
    }).pipe(Effect.scoped, Effect.provide(ClusterLayer), Effect.timeout("20 seconds"))
  )
})
