import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

const me = "/api/v1/users/me"
const authorization = (value: string): RequestInit => ({ headers: { authorization: value } })

layer(testNode(), { excludeTestServices: true })("Authentication", (it) => {
  it.effect("answers the user who asks", () =>
    Effect.gen(function* () {
      const token = yield* login("root", rootPassword)
      const { json, status } = yield* send(me, bearer(token.access_token))
      assert.strictEqual(status, 200)
      assert.deepInclude(json, { username: "root", videoQuota: -1, twoFactorEnabled: false, nsfwPolicy: "do_not_list" })
      assert.deepStrictEqual(json.role, { id: 0, label: "Administrator" })
      assert.strictEqual(json.videoChannels[0].name, "root_channel")
      assert.strictEqual(json.videoChannels[0].displayName, "Main root channel")
      assert.match(json.lastLoginDate, /Z$/)
    })
  )

  it.effect("refuses what is no valid access token, each in its way", () =>
    Effect.gen(function* () {
      const { access_token } = yield* login("root", rootPassword)
      const cases: ReadonlyArray<readonly [string, RequestInit, number, string]> = [
        [me, {}, 401, "unauthorized_request"],
        [me, bearer("abc"), 401, "invalid_token"],
        [me, bearer("0".repeat(40)), 401, "invalid_token"],
        [me, authorization(`Basic ${access_token}`), 400, "invalid_request"],
        [me, authorization("Bearer"), 400, "invalid_request"],
        [me, authorization(`Bearer ${access_token}, Bearer ${access_token}`), 400, "invalid_request"],
        [`${me}?access_token=${access_token}`, {}, 400, "invalid_request"],
        [`${me}?access_token=${access_token}`, bearer(access_token), 400, "invalid_request"]
      ]
      for (const [path, init, status, code] of cases) {
        const answer = yield* send(path, init)
        assert.deepInclude(answer.json, { status, code, type: `/docs#section/Errors/${code}` })
        assert.strictEqual(answer.status, status)
      }
    })
  )

  it.effect("ends with a logout at once", () =>
    Effect.gen(function* () {
      const { access_token, refresh_token } = yield* login("root", rootPassword)
      assert.strictEqual((yield* send(me, bearer(access_token))).status, 200)
      const out = yield* send("/api/v1/users/revoke-token", { method: "POST", ...bearer(access_token) })
      assert.deepStrictEqual([out.status, out.json], [200, {}])
      assert.strictEqual((yield* send(me, bearer(access_token))).json.code, "invalid_token")
      assert.isTrue(refresh_token.length > 0)
    })
  )

  it.effect("ends when another node revokes the token", () =>
    Effect.gen(function* () {
      const { access_token } = yield* login("root", rootPassword)
      assert.strictEqual((yield* send(me, bearer(access_token))).status, 200)
      const sql = yield* SqlClient
      yield* sql`delete from oauth_token`
      yield* send(me, bearer(access_token)).pipe(
        Effect.repeat({ until: (answer) => answer.status === 401, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("20 seconds")
      )
    })
  )

  it.effect("ends when the password is reset, and refuses expired tokens and blocked users", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const sql = yield* SqlClient
      yield* users.create({ username: "u1", email: "u1@example.com", password: "password1", role: 2 })
      const before = yield* login("u1", "password1")
      yield* users.resetPassword("u1", "password2")
      assert.strictEqual((yield* send(me, bearer(before.access_token))).status, 401)
      const expired = yield* login("u1", "password2")
      yield* sql`update oauth_token set access_expires_at = now() - interval '1 second'`
      assert.strictEqual((yield* send(me, bearer(expired.access_token))).json.code, "invalid_token")
      const blocked = yield* login("u1", "password2")
      yield* sql`update app_user set blocked = true where username = 'u1'`
      assert.strictEqual((yield* send(me, bearer(blocked.access_token))).json.code, "invalid_token")
    })
  )
})
