import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { bearer, send, tokenForm } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const phone = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile"

const logIn = Effect.fn("logIn")(function* (username: string, password: string, agent: string, ip: string) {
  const answer = yield* send("/api/v1/users/token", {
    method: "POST",
    headers: { "user-agent": agent, "x-forwarded-for": ip },
    body: new URLSearchParams(yield* tokenForm({ grant_type: "password", username, password }))
  })
  return answer.json.access_token as string
})

const member = Effect.fn("member")(function* (username: string, role: 0 | 1 | 2 = 2) {
  const { userId } = yield* (yield* Users).create({
    username,
    email: `${username}@example.com`,
    password: "password1",
    role
  })
  return userId
})

const sessionsOf = (id: number | string, token: string, query = "") =>
  send(`/api/v1/users/${id}/token-sessions${query}`, bearer(token))

const revoke = (id: number, session: number | string, token: string) =>
  send(`/api/v1/users/${id}/token-sessions/${session}/revoke`, { method: "POST", ...bearer(token) })

const isOut = (token: string) => Effect.map(send("/api/v1/users/me", bearer(token)), ({ status }) => status === 401)

layer(testNode(), { excludeTestServices: true })("token sessions", (it) => {
  it.effect("show where and with what a user is logged in, and which session it is", () =>
    Effect.gen(function* () {
      const id = yield* member("mia")
      const desk = yield* logIn("mia", "password1", firefox, "203.0.113.7")
      const hand = yield* logIn("mia", "password1", phone, "2001:db8::7")
      const { json, status } = yield* sessionsOf(id, hand)
      assert.strictEqual(status, 200)
      assert.strictEqual(json.total, 2)
      const [newest, oldest] = json.data
      assert.deepInclude(newest, {
        currentSession: true,
        loginDevice: "Chrome on Android",
        loginIP: "2001:db8::7",
        lastActivityDevice: "Chrome on Android",
        lastActivityIP: "2001:db8::7"
      })
      assert.deepInclude(oldest, {
        currentSession: false,
        loginDevice: "Firefox on Linux",
        loginIP: "203.0.113.7"
      })
      for (const field of ["loginDate", "lastActivityDate", "createdAt"]) {
        assert.match(oldest[field], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }
      assert.deepStrictEqual(
        (yield* sessionsOf(id, desk, "?sort=createdAt")).json.data.map((it: { id: number }) => it.id),
        [oldest.id, newest.id]
      )
      const page = yield* sessionsOf(id, desk, "?start=1&count=1")
      assert.deepStrictEqual([page.json.total, page.json.data.length, page.json.data[0].id], [2, 1, oldest.id])
      assert.deepStrictEqual((yield* sessionsOf(id, desk, "?count=0")).json, { total: 2, data: [] })
    })
  )

  it.effect("note when and whence they were last used, once a minute", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const id = yield* member("noa")
      const token = yield* logIn("noa", "password1", firefox, "203.0.113.7")
      yield* sql`
        update oauth_token set last_activity_at = now() - interval '2 minutes', login_at = now() - interval '1 hour'
        where user_id = ${id}`
      const listed = yield* send(`/api/v1/users/${id}/token-sessions`, {
        headers: { authorization: `Bearer ${token}`, "user-agent": "curl/8.5.0", "x-forwarded-for": "198.51.100.4" }
      })
      const [session] = listed.json.data
      assert.deepInclude(session, {
        loginDevice: "Firefox on Linux",
        loginIP: "203.0.113.7",
        lastActivityDevice: "curl 8.5.0",
        lastActivityIP: "198.51.100.4"
      })
      assert.isAbove(Date.parse(session.lastActivityDate), Date.parse(session.loginDate) + 3_000_000)
    })
  )

  it.effect("end when they are revoked, others first, the own one last", () =>
    Effect.gen(function* () {
      const id = yield* member("ida")
      const desk = yield* logIn("ida", "password1", firefox, "203.0.113.7")
      const hand = yield* logIn("ida", "password1", phone, "203.0.113.8")
      const [own, other] = (yield* sessionsOf(id, hand)).json.data
      assert.isFalse(yield* isOut(desk))
      const ended = yield* revoke(id, other.id, hand)
      assert.deepStrictEqual([ended.status, ended.json], [200, {}])
      assert.isTrue(yield* isOut(desk))
      assert.strictEqual((yield* sessionsOf(id, hand)).json.total, 1)
      assert.strictEqual((yield* revoke(id, other.id, hand)).status, 404)
      assert.strictEqual((yield* revoke(id, own.id, hand)).status, 200)
      assert.isTrue(yield* isOut(hand))
    })
  )

  it.effect("are for their user and administrators", () =>
    Effect.gen(function* () {
      const id = yield* member("eva")
      yield* member("mod", 1)
      const otherId = yield* member("tom")
      const eva = yield* logIn("eva", "password1", firefox, "203.0.113.7")
      const mod = yield* logIn("mod", "password1", firefox, "203.0.113.7")
      const tom = yield* logIn("tom", "password1", firefox, "203.0.113.7")
      const root = yield* logIn("root", rootPassword, firefox, "203.0.113.7")
      const session = (yield* sessionsOf(id, eva)).json.data[0].id as number
      for (const token of [mod, tom]) {
        assert.strictEqual((yield* sessionsOf(id, token)).status, 403)
        assert.strictEqual((yield* revoke(id, session, token)).status, 403)
      }
      // A session is found under its own user only.
      assert.strictEqual((yield* revoke(otherId, session, tom)).status, 404)
      assert.isFalse(yield* isOut(eva))
      const seen = (yield* sessionsOf(id, root)).json.data
      assert.deepStrictEqual([seen.length, seen[0].currentSession], [1, false])
      assert.strictEqual((yield* revoke(id, session, root)).status, 200)
      assert.isTrue(yield* isOut(eva))
      assert.strictEqual((yield* sessionsOf(999_999, root)).status, 404)
      assert.strictEqual((yield* send(`/api/v1/users/${id}/token-sessions`)).json.code, "unauthorized_request")
    })
  )

  it.effect("refuse ids and pages that are none, each field by name", () =>
    Effect.gen(function* () {
      const root = yield* logIn("root", rootPassword, firefox, "203.0.113.7")
      const cases = [
        ["0", "", "id"],
        ["abc", "", "id"],
        ["99999999999", "", "id"],
        ["1", "?sort=id", "sort"],
        ["1", "?sort=createdAt;drop", "sort"],
        ["1", "?count=101", "count"],
        ["1", "?count=-1", "count"],
        ["1", "?start=-1", "start"],
        ["1", "?start=x&count=y", "start, count"]
      ] as const
      for (const [id, query, names] of cases) {
        const answer = yield* sessionsOf(id, root, query)
        assert.strictEqual(answer.status, 400, id + query)
        assert.strictEqual(answer.json.detail, `Incorrect request parameters: ${names}`)
      }
      assert.strictEqual((yield* revoke(1, "x", root)).json.detail, "Incorrect request parameters: tokenSessionId")
    })
  )
})
