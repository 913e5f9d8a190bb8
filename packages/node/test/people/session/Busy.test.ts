import { assert, layer } from "@effect/vitest"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Effect, Layer } from "effect"
import { CurrentPassword } from "../../../src/people/session/CurrentPassword.ts"
import { LoginLockout } from "../../../src/people/login/LoginLockout.ts"
import { PasswordGrant } from "../../../src/people/login/PasswordGrant.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { testNode } from "../../instance/about/TestNode.ts"

let crowded = true

/** Refuses whoever comes while it is crowded; then every password is right for those who have one. */
const doorkeeper = Layer.mock(Passwords)({
  verify: (_, hash) =>
    crowded
      ? Effect.fail(new ServiceUnavailable({ reason: "Too many at once", retryAfterSeconds: 5 }))
      : Effect.succeed(hash !== undefined)
})

const lockout = { rates_limit: { login_lockout: { enabled: true, max: 3, max_per_ip: 5 } } }

const node = Layer.mergeAll(Layer.fresh(PasswordGrant.layer), Layer.fresh(CurrentPassword.layer)).pipe(
  Layer.provide(Layer.fresh(LoginLockout.layer)),
  Layer.provide(doorkeeper),
  Layer.provideMerge(testNode(lockout))
)

layer(node, { excludeTestServices: true })("whoever is sent away because too many are logging in", (it) => {
  it.effect("has not guessed wrong", () =>
    Effect.gen(function* () {
      const grant = yield* PasswordGrant
      const current = yield* CurrentPassword
      const login = grant.login({
        username: "root",
        password: "any password",
        externalAuthToken: undefined,
        oneTimeCode: undefined,
        ip: "203.0.113.7"
      })
      for (let times = 0; times < 11; times++) {
        assert.strictEqual((yield* Effect.flip(login))._tag, "ServiceUnavailable")
        assert.strictEqual((yield* Effect.flip(current.check(1, "any password")))._tag, "ServiceUnavailable")
      }
      crowded = false
      yield* login
      assert.isTrue(yield* current.check(1, "any password"))
    })
  )
})
