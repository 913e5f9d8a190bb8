import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { LoginLockout } from "../../../src/people/login/LoginLockout.ts"
import { PasswordGrant } from "../../../src/people/login/PasswordGrant.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { postForm, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"

const register = Effect.fn("register")(function* (
  username: string,
  state: 1 | 2 | 3,
  options: { readonly password?: string; readonly email?: string; readonly verified?: boolean } = {}
) {
  const sql = yield* SqlClient
  const hash = state === 3 ? null : yield* (yield* Passwords).hash(options.password ?? "password1")
  yield* sql`
    insert into user_registration (state, username, email, email_verified, password_hash, registration_reason)
    values (${state}, ${username}, ${options.email ?? `${username}@example.com`}, ${options.verified ?? null}, ${hash}, '')`
})

const codeOf = Effect.fn("codeOf")(function* (username: string, password: string) {
  return (yield* postForm(yield* tokenForm({ grant_type: "password", username, password }))).json.code as string
})

/** Counts the hashes a login costs. */
class Hashes extends Context.Service<Hashes, { count: number }>()("@kinora/node/test/sessions/Hashes") {}

const counting = Layer.effectContext(
  Effect.gen(function* () {
    const passwords = yield* Passwords
    const hashes = Hashes.of({ count: 0 })
    const counted = Passwords.of({
      hash: (password) =>
        Effect.andThen(
          Effect.sync(() => hashes.count++),
          passwords.hash(password)
        ),
      verify: (password, hash) =>
        Effect.andThen(
          Effect.sync(() => hashes.count++),
          passwords.verify(password, hash)
        )
    })
    return Context.make(Passwords, counted).pipe(Context.add(Hashes, hashes))
  })
)

const counted = Layer.fresh(PasswordGrant.layer).pipe(
  Layer.provide(LoginLockout.layer),
  Layer.provideMerge(counting),
  Layer.provideMerge(testNode())
)

layer(counted, { excludeTestServices: true })("the state of an account", (it) => {
  it.effect("is told to who knows the password of the registration, by name or address", () =>
    Effect.gen(function* () {
      yield* register("waiting", 1)
      yield* register("rejected", 2)
      for (const login of ["waiting", "WAITING", "waiting@example.com"]) {
        assert.strictEqual(yield* codeOf(login, "password1"), "account_waiting_for_approval")
        assert.strictEqual(yield* codeOf(login, "password2"), "invalid_grant")
      }
      assert.strictEqual(yield* codeOf("rejected", "password1"), "account_approval_rejected")
      assert.strictEqual(yield* codeOf("rejected@example.com", "password1"), "account_approval_rejected")
      assert.strictEqual(yield* codeOf("rejected", "password2"), "invalid_grant")
    })
  )

  it.effect("is that of the newest registration, and not of one that became a user", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* register("again", 2, { password: "password1" })
      yield* register("again", 1, { password: "password2", email: "other@example.com" })
      assert.strictEqual(yield* codeOf("again", "password2"), "account_waiting_for_approval")
      assert.strictEqual(yield* codeOf("again", "password1"), "invalid_grant")
      assert.strictEqual(yield* codeOf("again@example.com", "password1"), "account_approval_rejected")
      yield* register("accepted", 3)
      assert.strictEqual(yield* codeOf("accepted", "password1"), "invalid_grant")
      yield* register("user", 2)
      yield* users.create({ username: "user", email: "u@example.com", password: "password2", role: 2 })
      assert.strictEqual(yield* codeOf("user", "password1"), "invalid_grant")
      assert.isUndefined(yield* codeOf("user", "password2"))
    })
  )

  it.effect("names match themselves alone: _ and % are letters", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* users.create({ username: "a_b", email: "a_b@example.com", password: "password1", role: 2 })
      yield* users.create({ username: "axb", email: "axb@example.com", password: "password2", role: 2 })
      yield* users.create({ username: "kim", email: "kim@example.com", password: "password1", role: 2 })
      assert.isUndefined(yield* codeOf("a_b", "password1"))
      assert.isUndefined(yield* codeOf("KIM", "password1"))
      for (const [login, password] of [
        ["a_b", "password2"],
        ["a%b", "password1"],
        ["%", "password1"],
        ["___", "password2"],
        ["a_b@example%", "password1"],
        ["\u0430_b", "password1"],
        ["\u212aim", "password1"],
        ["k\u0130m", "password1"],
        ["\uff4bim", "password1"]
      ] as const) {
        assert.strictEqual(yield* codeOf(login, password), "invalid_grant", login)
      }
    })
  )

  it.effect("costs one hash whoever is named, so that the time tells nothing", () =>
    Effect.gen(function* () {
      const grant = yield* PasswordGrant
      const hashes = yield* Hashes
      const users = yield* Users
      yield* users.create({ username: "known", email: "known@example.com", password: "password1", role: 2 })
      yield* register("unknown", 1)
      for (const [username, password] of [
        ["known", "wrong1"],
        ["known", "password1"],
        ["nobody", "password1"],
        ["unknown", "password1"],
        ["unknown", "wrong1"],
        ["no\u0000body", "password1"],
        ["x".repeat(900), "password1"]
      ] as const) {
        hashes.count = 0
        yield* Effect.exit(
          grant.login({ username, password, externalAuthToken: undefined, oneTimeCode: undefined, ip: null })
        )
        assert.strictEqual(hashes.count, 1, `${username} ${password}`)
      }
    })
  )
})

layer(testNode({ signup: { requires_email_verification: true } }), { excludeTestServices: true })(
  "an address that must be verified",
  (it) => {
    it.effect("is asked for after the password", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const sql = yield* SqlClient
        yield* register("unverified", 1)
        yield* register("verified", 1, { verified: true })
        yield* register("refused", 2)
        assert.strictEqual(yield* codeOf("unverified", "password1"), "email_not_verified")
        assert.strictEqual(yield* codeOf("unverified", "password2"), "invalid_grant")
        assert.strictEqual(yield* codeOf("verified", "password1"), "account_waiting_for_approval")
        assert.strictEqual(yield* codeOf("refused", "password1"), "account_approval_rejected")
        yield* users.create({ username: "mine", email: "mine@example.com", password: "password1", role: 2 })
        assert.isUndefined(yield* codeOf("mine", "password1"))
        yield* sql`update app_user set email_verified = false where username = 'mine'`
        assert.strictEqual(yield* codeOf("mine", "password1"), "email_not_verified")
        assert.strictEqual(yield* codeOf("mine", "password2"), "invalid_grant")
      })
    )
  }
)
