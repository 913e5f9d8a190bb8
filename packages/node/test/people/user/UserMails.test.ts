import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { testNode } from "../../instance/about/TestNode.ts"
import { asked, call, enrol, mails, password, rootToken } from "./UserCalls.ts"
import { postForm, tokenForm } from "../../instance/about/Client.ts"
import { UserPasswords } from "../../../src/people/user/UserPasswords.ts"

const node = testNode({ smtp: { hostname: "127.0.0.1" } })

const passwordTokens = Effect.fn(function* (userId: number) {
  const sql = yield* SqlClient
  return yield* sql<{ purpose: string }>`select purpose from one_time_token where user_id = ${userId} order by purpose`
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("users are mailed", (it) => {
  it.effect("a link that sets their first password, until then no password opens the account", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const before = (yield* mails).length
      const made = yield* call("POST", "", root, asked("silent", { password: "" }))
      assert.strictEqual(made.status, 200, made.text)
      const { id } = made.json.user
      assert.deepStrictEqual((yield* mails).slice(before), ["CreatePassword"])
      assert.deepStrictEqual(yield* passwordTokens(id), [{ purpose: "create-password" }])
      for (const guess of ["", "undefined", "null", "password1"]) {
        const answer = yield* postForm(
          yield* tokenForm({ grant_type: "password", username: "silent", password: guess })
        )
        assert.include([400, 401], answer.status)
      }
      // With a password nothing is mailed, and a refused user gets nothing either.
      yield* call("POST", "", root, asked("loud"))
      assert.strictEqual((yield* call("POST", "", root, asked("silent", { password: "" }))).status, 409)
      assert.strictEqual((yield* mails).length, before + 1)
      // An address that was mistyped: its link opens nothing any more.
      yield* call("PUT", `/${id}`, root, { email: "right@example.com" })
      assert.deepStrictEqual(yield* passwordTokens(id), [])
    })
  )

  it.effect("that their password was changed, and links that set one end", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id, token } = yield* enrol("changed")
      const sql = yield* SqlClient
      yield* sql`
        insert into one_time_token (hash, purpose, user_id, expires_at)
        values (${new Uint8Array(32)}, 'reset-password', ${id}, now() + interval '1 hour'),
          (${new Uint8Array(32).fill(1)}, 'verify-email', ${id}, now() + interval '1 hour')`
      const before = (yield* mails).length
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { password: "password2", videoQuota: 3 })).status, 204)
      assert.deepStrictEqual((yield* mails).slice(before), ["PasswordChanged"])
      assert.deepStrictEqual(yield* passwordTokens(id), [{ purpose: "verify-email" }])
      assert.strictEqual((yield* call("GET", "/me", token)).status, 401)
      const passwords = yield* UserPasswords
      yield* passwords.set(id, "password3")
      assert.strictEqual((yield* mails).length, before + 2)
      assert.strictEqual((yield* Effect.flip(passwords.set(2 ** 31 - 1, password)))._tag, "UserNotFound")
      // What fails as a whole mails nothing.
      const clash = yield* call("PUT", `/${id}`, root, { password: "password4", email: "loud@example.com" })
      assert.strictEqual(clash.status, 409)
      assert.strictEqual((yield* mails).length, before + 2)
      const old = yield* postForm(
        yield* tokenForm({ grant_type: "password", username: "changed", password: "password3" })
      )
      assert.strictEqual(old.status, 200)
    })
  )

  it.effect("that an administrator gave them another address, where the former one is read", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id } = yield* enrol("moved")
      const before = (yield* mails).length
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { email: "elsewhere@example.com" })).status, 204)
      assert.deepStrictEqual((yield* mails).slice(before), ["EmailChanged"])
      // The same address again is no change, and an address that nobody proved is told nothing.
      yield* call("PUT", `/${id}`, root, { email: "elsewhere@example.com", emailVerified: false })
      yield* call("PUT", `/${id}`, root, { email: "proven@example.com" })
      assert.strictEqual((yield* mails).length, before + 1)
    })
  )

  it.effect("that they are blocked, and that they are not any more, once each", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id } = yield* enrol("blocked")
      const before = (yield* mails).length
      for (const path of ["block", "block", "unblock", "unblock"]) {
        assert.strictEqual((yield* call("POST", `/${id}/${path}`, root)).status, 204)
      }
      assert.deepStrictEqual((yield* mails).slice(before), ["UserBlocked", "UserUnblocked"])
    })
  )
})
