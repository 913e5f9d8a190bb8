import { assert, it, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Option, Ref } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeMemoryStore } from "../../src/platform/http/RateLimitStore.ts"
import { recent } from "../../src/platform/memory/Recent.ts"
import { AccessTokens, originOf } from "../../src/people/session/AccessTokens.ts"
import { VideoFileTokens } from "../../src/video/list/VideoFileTokens.ts"
import { login } from "../instance/about/Client.ts"
import { rootPassword, testNode } from "../instance/about/TestNode.ts"

const hour = Duration.toMillis(Duration.hours(1))
const origin = originOf(undefined, undefined)

/** Runs an effect with a wall clock that is wrong by some milliseconds. */
const jumped = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const wrong: Clock.Clock = Object.create(clock, {
      currentTimeMillisUnsafe: { value: () => clock.currentTimeMillisUnsafe() + millis },
      currentTimeMillis: { value: Effect.map(clock.currentTimeMillis, (now) => now + millis) }
    })
    return Effect.provideService(effect, Clock.Clock, wrong)
  })

layer(testNode(), { excludeTestServices: true })("DOS-10: when the clock jumps", (it) => {
  it.effect("a session lives on, and one that was ended elsewhere is not believed in for longer", () =>
    Effect.gen(function* () {
      const tokens = yield* AccessTokens
      const sql = yield* SqlClient
      for (const jump of [-hour, hour]) {
        const { access_token } = yield* login("root", rootPassword)
        const ask = tokens.authenticate(access_token, origin)
        assert.strictEqual((yield* ask).username, "root")
        assert.strictEqual((yield* jumped(jump, ask)).username, "root")
        assert.strictEqual((yield* ask).username, "root")
        yield* sql`delete from oauth_token`
        assert.strictEqual((yield* Effect.flip(jumped(-hour, ask))).code, "invalid_token")
      }
    })
  )

  it.effect("a video's file token opens what it opened, and is not made to last", () =>
    Effect.gen(function* () {
      const tokens = yield* VideoFileTokens
      const uuid = "01800edf-9089-422d-aeb1-8dc32ab90147"
      const { access_token } = yield* login("root", rootPassword)
      const user = yield* Effect.flatMap(AccessTokens, (sessions) => sessions.authenticate(access_token, origin))
      const video = { id: 1, uuid }
      const { files } = yield* tokens.issue(video, { user: Option.some(user) })
      assert.isTrue(Option.isSome(yield* jumped(-hour, tokens.reason(files.token, video))))
      assert.isTrue(Option.isSome(yield* jumped(hour, tokens.reason(files.token, video))))
      assert.isTrue(Option.isNone(yield* jumped(24 * hour, tokens.reason(files.token, video))))
    })
  )
})

it.effect("DOS-10: what is kept for a moment is made anew after the clock was set back", () =>
  Effect.gen(function* () {
    const made = yield* Ref.make(0)
    const value = recent(
      Ref.updateAndGet(made, (n) => n + 1),
      "5 seconds"
    )
    assert.strictEqual(yield* value, 1)
    assert.strictEqual(yield* value, 1)
    assert.strictEqual(yield* jumped(-hour, value), 2)
  })
)

it.effect("DOS-10: nobody is shut out for an hour by a rate limit because the clock was set back", () =>
  Effect.sync(() => {
    const store = makeMemoryStore(100)
    const limit = { max: 1, windowMillis: 10_000 }
    const now = 1_800_000_000_000
    for (let n = 1; n <= 5; n++) assert.strictEqual(store.hitNow!("client", limit, now).used, n)
    const after = store.hitNow!("client", limit, now - hour)
    assert.strictEqual(after.used, 1)
    assert.strictEqual(after.resetAt, now - hour + limit.windowMillis)
  })
)
