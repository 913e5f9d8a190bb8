import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { send, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { mailNode } from "../../support/MailNode.ts"

const add = (username: string) =>
  Effect.flatMap(Users, (users) =>
    users.create({ username, email: `${username}@example.com`, password: "password1", role: 2 })
  )

const attempt = Effect.fn("attempt")(function* (username: string, password: string, ip: string) {
  const { json, status } = yield* send("/api/v1/users/token", {
    method: "POST",
    headers: { "x-forwarded-for": ip },
    body: new URLSearchParams(yield* tokenForm({ grant_type: "password", username, password }))
  })
  return { status, code: json.code as string | undefined, detail: json.detail as string | undefined }
})

const refused = { status: 400, code: "invalid_grant", detail: "Wrong user name or password" }

const lockoutMails = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ count: number }>`
    select count(*)::int as count from job where type = 'email' and payload->>'kind' = 'LoginLockedOut'`
  return rows[0]!.count
})

const lockout = { rates_limit: { login_lockout: { enabled: true, window: "10 minutes", max: 3, max_per_ip: 5 } } }

layer(mailNode(lockout, { sending: false }), { excludeTestServices: true })("the login lockout", (it) => {
  it.effect(
    "refuses the right password after too many wrong ones, with the same answer, and tells the owner once",
    () =>
      Effect.gen(function* () {
        yield* add("ann")
        yield* add("ben")
        for (const ip of ["203.0.113.1", "203.0.113.2"])
          assert.deepStrictEqual(yield* attempt("ann", "wrong1", ip), refused)
        assert.strictEqual(yield* lockoutMails, 0)
        assert.deepStrictEqual(yield* attempt("ann@example.com", "wrong1", "203.0.113.3"), refused)
        assert.strictEqual(yield* lockoutMails, 1)
        for (const ip of ["203.0.113.1", "203.0.113.3"]) {
          assert.deepStrictEqual(yield* attempt("ann", "password1", ip), refused)
          assert.deepStrictEqual(yield* attempt("ann", "wrong1", ip), refused)
        }
        // Not where the password was not wrong before, once it is, there too.
        assert.strictEqual((yield* attempt("ann", "password1", "203.0.113.6")).status, 200)
        assert.deepStrictEqual(yield* attempt("ann", "wrong1", "203.0.113.7"), refused)
        assert.deepStrictEqual(yield* attempt("ann", "password1", "203.0.113.7"), refused)
        assert.strictEqual(yield* lockoutMails, 1)
        assert.strictEqual((yield* attempt("ben", "password1", "203.0.113.1")).status, 200)
      })
  )

  it.effect("does not count right passwords, and counts many at once one by one", () =>
    Effect.gen(function* () {
      yield* add("cat")
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* attempt("cat", "password1", "203.0.113.20")).status, 200)
      const tries = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, i) => i),
        (i) => attempt("cat", i === 11 ? "password1" : "wrong1", "198.51.100.1"),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(tries.filter(({ status }) => status === 200).length, 1)
      assert.deepStrictEqual(yield* attempt("cat", "password1", "198.51.100.1"), refused)
      assert.strictEqual((yield* attempt("cat", "password1", "203.0.113.20")).status, 200)
    })
  )

  it.effect("refuses an address that tries too many names, and no other", () =>
    Effect.gen(function* () {
      yield* add("dan")
      for (let i = 0; i < 5; i++) assert.deepStrictEqual(yield* attempt(`nobody${i}`, "wrong1", "192.0.2.1"), refused)
      assert.deepStrictEqual(yield* attempt("dan", "password1", "192.0.2.1"), refused)
      assert.strictEqual((yield* attempt("dan", "password1", "192.0.2.2")).status, 200)
    })
  )
})

const off = { rates_limit: { login_lockout: { enabled: false } } }

layer(testNode(off), { excludeTestServices: true })("without a lockout", (it) => {
  it.effect("the right password is right after any number of wrong ones", () =>
    Effect.gen(function* () {
      yield* add("eve")
      for (let i = 0; i < 12; i++) assert.deepStrictEqual(yield* attempt("eve", "wrong1", "203.0.113.1"), refused)
      assert.strictEqual((yield* attempt("eve", "password1", "203.0.113.1")).status, 200)
    })
  )
})
