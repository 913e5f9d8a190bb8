import { assert, it } from "@effect/vitest"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { watchLeases } from "../../../src/platform/jobs/LeaseWatch.ts"

/** A board whose database can be away, and how often leases were expired. */
const watched = Effect.gen(function* () {
  const state = { away: false, expired: 0, looks: 0 }
  const asked = (what: "expired" | "looks") =>
    Effect.suspend(() => {
      if (state.away) return Effect.fail(new DatabaseUnavailable({ retryAfterSeconds: 1 }))
      state[what]++
      return Effect.void
    })
  yield* Effect.forkScoped(watchLeases({ expire: asked("expired"), look: asked("looks") }), { startImmediately: true })
  return state
})

it.effect("expires nothing before all could renew their leases after a start", () =>
  Effect.gen(function* () {
    const state = yield* watched
    yield* TestClock.adjust("11 seconds")
    assert.strictEqual(state.expired, 0)
    assert.isAbove(state.looks, 5)
    yield* TestClock.adjust("3 seconds")
    assert.isAbove(state.expired, 0)
  })
)

it.effect("expires nothing right after an outage of the database", () =>
  Effect.gen(function* () {
    const state = yield* watched
    yield* TestClock.adjust("15 seconds")
    state.away = true
    yield* TestClock.adjust("20 seconds")
    state.away = false
    const before = state.expired
    yield* TestClock.adjust("11 seconds")
    assert.strictEqual(state.expired, before)
    yield* TestClock.adjust("5 seconds")
    assert.isAbove(state.expired, before)
  })
)
