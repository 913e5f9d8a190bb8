import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { fetchOptions, type HostLimits } from "../../src/fetch/FetchOptions.ts"
import { makeHostBudget } from "../../src/fetch/HostBudget.ts"
import { makeNetworkSlots, networkOf } from "../../src/fetch/NetworkSlots.ts"
import { fetching, reason } from "./support/Fetching.ts"
import { closedPort, origin } from "./support/Origin.ts"

const budget = (host: Partial<HostLimits>, concurrency = 64) =>
  makeHostBudget(fetchOptions({ userAgent: "test", concurrency, host }))

const json = { types: ["application/json"], maxBytes: 1_000 }

describe("host budget", () => {
  it.effect("lets so many in at a time, and lets so many wait", () =>
    Effect.gen(function* () {
      const { enter } = budget({ concurrency: 2, queue: 1, maxWaitMillis: 1_000 })
      const leave = yield* Deferred.make<void>()
      const stay = Effect.scoped(Effect.andThen(enter("a"), Deferred.await(leave)))
      const inside = yield* Effect.forkChild(Effect.all([stay, stay], { concurrency: 2 }))
      const waiting = yield* Effect.forkChild(Effect.scoped(enter("a")))
      yield* TestClock.adjust(1)
      const refused = yield* Effect.flip(Effect.scoped(enter("a")))
      assert.deepInclude(refused, { _tag: "Busy", why: "queue" })
      yield* Effect.scoped(enter("b"))
      yield* Deferred.succeed(leave, undefined)
      yield* Fiber.join(waiting)
      yield* Fiber.join(inside)
    })
  )

  it.effect("gives up a wait that is too long, and an interrupted one leaves no trace", () =>
    Effect.gen(function* () {
      const { enter } = budget({ concurrency: 1, queue: 1, maxWaitMillis: 1_000 })
      const inside = yield* Effect.forkChild(Effect.scoped(Effect.andThen(enter("a"), Effect.never)))
      yield* TestClock.adjust(1)
      const late = yield* Effect.forkChild(Effect.flip(Effect.scoped(enter("a"))))
      yield* TestClock.adjust(1_000)
      assert.deepInclude(yield* Fiber.join(late), { _tag: "Busy", why: "queue" })
      const gone = yield* Effect.forkChild(Effect.scoped(enter("a")))
      yield* TestClock.adjust(1)
      yield* Fiber.interrupt(gone)
      yield* Fiber.interrupt(inside)
      yield* Effect.scoped(enter("a"))
    })
  )

  it.effect("holds to the rate after the burst", () =>
    Effect.gen(function* () {
      const { enter } = budget({ rate: 2, burst: 3, maxWaitMillis: 500 })
      const once = Effect.scoped(enter("a"))
      yield* Effect.all([once, once, once])
      const next = yield* Effect.forkChild(once)
      yield* TestClock.adjust(499)
      const tooMany = yield* Effect.flip(once)
      assert.deepInclude(tooMany, { _tag: "Busy", why: "rate" })
      assert.isUndefined(next.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(next)
      yield* TestClock.adjust(1_500)
      yield* Effect.all([once, once, once])
    })
  )

  it.effect("leaves a failing host alone, for longer each time, and tries it with one request", () =>
    Effect.gen(function* () {
      const { enter } = budget({ failures: 2, restMillis: 1_000, maxRestMillis: 3_000 })
      const fail = Effect.scoped(Effect.flatMap(enter("a"), (ticket) => ticket.failed))
      const refused = Effect.flip(Effect.scoped(enter("a")))
      yield* fail
      yield* fail
      for (const rest of [1_000, 2_000, 3_000, 3_000]) {
        assert.deepInclude(yield* refused, { why: "circuit", retryAfterMillis: rest })
        yield* TestClock.adjust(rest)
        yield* fail
      }
      yield* TestClock.adjust(3_000)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const ticket = yield* enter("a")
          assert.deepInclude(yield* refused, { why: "circuit", retryAfterMillis: 1_000 })
          yield* ticket.answered
          yield* enter("a")
        })
      )
      yield* fail
      yield* Effect.scoped(enter("a"))
    })
  )

  it.effect("remembers a bounded number of hosts (AP-41)", () =>
    Effect.gen(function* () {
      const { enter, size } = budget({ remembered: 100, failures: 1 })
      for (let i = 0; i < 1_000; i++) yield* Effect.scoped(enter(`host-${i}.test`))
      assert.strictEqual(yield* size, 100)
    })
  )

  it.effect("bounds all hosts together", () =>
    Effect.gen(function* () {
      const { enter } = budget({ maxWaitMillis: 100 }, 2)
      const inside = yield* Effect.forkChild(
        Effect.scoped(Effect.all([enter("a"), enter("b"), Effect.never], { concurrency: 3 }))
      )
      yield* TestClock.adjust(1)
      const third = yield* Effect.forkChild(Effect.flip(Effect.scoped(enter("c"))))
      yield* TestClock.adjust(100)
      assert.deepInclude(yield* Fiber.join(third), { _tag: "Busy" })
      yield* Fiber.interrupt(inside)
      yield* Effect.scoped(enter("c"))
    })
  )

  it.effect("knows one network by whatever names it has", () =>
    Effect.gen(function* () {
      assert.strictEqual(networkOf("192.0.2.1"), "192.0.2.1")
      assert.strictEqual(networkOf("2001:db8:0:1::5"), networkOf("2001:0db8::1:a:b:c:d"))
      assert.notStrictEqual(networkOf("2001:db8:0:1::5"), networkOf("2001:db8:0:2::5"))
      const enter = makeNetworkSlots({ concurrency: 2, maxWaitMillis: 1_000 })
      const leave = yield* Deferred.make<void>()
      const stay = (...addresses: ReadonlyArray<string>) =>
        Effect.forkChild(Effect.scoped(Effect.andThen(enter(addresses), Deferred.await(leave))))
      const inside = [yield* stay("2001:db8::1", "192.0.2.1"), yield* stay("192.0.2.1", "2001:db8::2", "2001:db8::3")]
      yield* TestClock.adjust(1)
      const third = yield* Effect.forkChild(Effect.flip(Effect.scoped(enter(["198.51.100.1", "2001:db8::4"]))))
      yield* TestClock.adjust(1_000)
      assert.deepInclude(yield* Fiber.join(third), { _tag: "Busy", why: "queue" })
      yield* Effect.scoped(enter(["198.51.100.1"]))
      const next = yield* Effect.forkChild(Effect.scoped(enter(["192.0.2.1"])))
      yield* Deferred.succeed(leave, undefined)
      yield* Effect.forEach([...inside, next], Fiber.join, { discard: true })
    })
  )

  it.live("opens its circuit for connections and gateways that fail, not for objects that are missing", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching({ host: { failures: 2 } })
      const url = `http://127.0.0.1:${yield* closedPort}/`
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* reason(fetch.json(url, json)))._tag, "Unreachable")
      assert.deepInclude(yield* reason(fetch.json(url, json)), { _tag: "Busy", why: "circuit" })

      const host = yield* origin((request, response) => response.writeHead(Number(request.url?.slice(1))).end())
      for (const status of [404, 410, 500, 403, 204, 206, 404]) {
        assert.deepInclude(yield* reason(fetch.json(host.url(`/${status}`), json)), { _tag: "BadStatus", status })
      }
      for (const status of [502, 504]) yield* reason(fetch.json(host.url(`/${status}`), json))
      assert.deepInclude(yield* reason(fetch.json(host.url("/404"), json)), { _tag: "Busy", why: "circuit" })
    }).pipe(Effect.scoped)
  )

  it.live("honours Retry-After within bounds (FET-16)", () =>
    Effect.gen(function* () {
      const fetch = yield* fetching()
      const limited = yield* origin((_, response) => response.writeHead(429, { "retry-after": "9999999" }).end())
      const first = yield* reason(fetch.json(limited.url("/"), json))
      assert.deepInclude(first, { _tag: "BadStatus", status: 429, retryAfterMillis: 3_600_000 })
      const second = yield* reason(fetch.json(limited.url("/"), json))
      assert.deepInclude(second, { _tag: "Busy", why: "circuit" })
      assert.isAtMost(second._tag === "Busy" ? second.retryAfterMillis : Infinity, 3_600_000)
      assert.strictEqual(limited.seen.length, 1)

      const past = yield* origin((_, response) =>
        response.writeHead(503, { "retry-after": "Thu, 01 Jan 1998 00:00:00 GMT" }).end()
      )
      for (let i = 0; i < 2; i++) {
        assert.deepInclude(yield* reason(fetch.json(past.url("/"), json)), { status: 503, retryAfterMillis: 0 })
      }
    }).pipe(Effect.scoped)
  )
})
