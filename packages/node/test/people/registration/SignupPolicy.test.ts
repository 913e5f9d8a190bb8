import { assert, describe, it } from "@effect/vitest"
import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { Effect, Layer, Ref, Result } from "effect"
import { TestClock } from "effect/testing"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { network } from "../../../src/platform/config/kinds/KindNetwork.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { SignupPolicy } from "../../../src/people/registration/SignupPolicy.ts"

const away = new DatabaseUnavailable({ retryAfterSeconds: 5 })

/** The policy over a database that counts as it is told, and how often it was asked. */
const policy = (signup: Overrides["signup"], count: Effect.Effect<number, DatabaseUnavailable>) => {
  const config = KinoraConfig.layerTest(signup === undefined ? {} : { signup })
  const mailer = Layer.mock(Mailer)({ enabled: false })
  return SignupPolicy.layer.pipe(
    Layer.provide(Layer.mergeAll(config, mailer, Layer.mock(SignupRows)({ userCount: count })))
  )
}

describe("SignupPolicy", () => {
  it.effect("asks the database once in a while for what is shown, and each time for what counts", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const users = yield* Ref.make(1)
      const count = Effect.andThen(
        Ref.update(asked, (n) => n + 1),
        Ref.get(users)
      )
      yield* Effect.gen(function* () {
        const { room, shown } = yield* SignupPolicy
        for (let i = 0; i < 10; i++) assert.isTrue((yield* shown(undefined)).allowed)
        assert.strictEqual(yield* Ref.get(asked), 1)
        yield* Ref.set(users, 2)
        assert.strictEqual((yield* Effect.flip(room))._tag, "Forbidden")
        assert.isTrue((yield* shown(undefined)).allowed)
        yield* TestClock.adjust("6 seconds")
        assert.isFalse((yield* shown(undefined)).allowed)
      }).pipe(Effect.provide(policy({ enabled: true, limit: 2 }, count)))
    })
  )

  it.effect("shows what it knew last while the database is away, and registers nobody", () =>
    Effect.gen(function* () {
      const { room, shown } = yield* SignupPolicy
      assert.deepStrictEqual(yield* shown(undefined), { allowed: true, allowedForCurrentIP: true })
      assert.strictEqual(yield* Effect.flip(room), away)
    }).pipe(Effect.provide(policy({ enabled: true, limit: 10 }, Effect.fail(away))))
  )

  it.effect("asks the database nothing when there is no limit, or nobody may register", () =>
    Effect.gen(function* () {
      for (const signup of [{ enabled: true, limit: -1 }, { enabled: false }]) {
        const shown = yield* Effect.provide(
          SignupPolicy.use((it) => it.shown("203.0.113.1")),
          policy(signup, Effect.die("asked"))
        )
        assert.strictEqual(shown.allowed, signup.enabled)
      }
    })
  )
})

describe("Networks in the configuration", () => {
  it("are addresses and CIDR networks of both kinds", () => {
    for (const good of ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32", "::/0", "::1", "0.0.0.0/0", "1.2.3.4/32"]) {
      assert.isTrue(Result.isSuccess(network.read(good)), good)
    }
    const bad = [
      "",
      "10.0.0.0/33",
      "10.0.0/8",
      "2001:db8::/129",
      "fe80::1%eth0",
      "localhost",
      "10.0.0.0/",
      "1.2.3.4/-1"
    ]
    for (const one of bad) assert.isTrue(Result.isFailure(network.read(one)), one)
  })
})
