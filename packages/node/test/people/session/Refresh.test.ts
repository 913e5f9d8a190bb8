import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

const renew = (refresh_token: string) =>
  Effect.flatMap(tokenForm({ grant_type: "refresh_token", refresh_token }), postForm)

const isIn = (token: string) => Effect.map(send("/api/v1/users/me", bearer(token)), ({ status }) => status === 200)

const later = Effect.flatMap(
  SqlClient,
  (sql) => sql`update oauth_refresh_used set used_at = used_at - interval '61 seconds'`
)

const lifetime = { oauth2: { token_lifetime: { access_token: "1 hour", refresh_token: "2 days" } } }

layer(testNode(lifetime), { excludeTestServices: true })("a refresh token", (it) => {
  it.effect("gives a new pair with the configured lifetimes, and ends the old one", () =>
    Effect.gen(function* () {
      const first = yield* login("root", rootPassword)
      const { json, status } = yield* renew(first.refresh_token)
      assert.strictEqual(status, 200)
      assert.deepInclude(json, { token_type: "Bearer", expires_in: 3_599, refresh_token_expires_in: 172_799 })
      assert.strictEqual(
        new Set([first.access_token, first.refresh_token, json.access_token, json.refresh_token]).size,
        4
      )
      assert.isFalse(yield* isIn(first.access_token))
      assert.isTrue(yield* isIn(json.access_token))
      const sql = yield* SqlClient
      const rows = yield* sql<{ seconds: number }>`
        select extract(epoch from refresh_expires_at - now())::float8 as seconds from oauth_token order by id desc limit 1`
      assert.isTrue(rows[0]!.seconds > 172_700 && rows[0]!.seconds <= 172_800)
    })
  )

  it.effect("is good once for two that race with it, and the session of the one that won goes on", () =>
    Effect.gen(function* () {
      const { refresh_token } = yield* login("root", rootPassword)
      const answers = yield* Effect.all([renew(refresh_token), renew(refresh_token), renew(refresh_token)], {
        concurrency: "unbounded"
      })
      const won = answers.filter(({ status }) => status === 200)
      assert.strictEqual(won.length, 1)
      for (const { json, status } of answers.filter((answer) => answer.status !== 200)) {
        assert.deepStrictEqual([status, json.code], [400, "invalid_grant"])
      }
      assert.isTrue(yield* isIn(won[0]!.json.access_token))
    })
  )

  it.effect("that is used again later ends the session: somebody has a copy of it", () =>
    Effect.gen(function* () {
      const stolen = yield* login("root", rootPassword)
      const other = yield* login("root", rootPassword)
      const once = (yield* renew(stolen.refresh_token)).json
      const twice = (yield* renew(once.refresh_token)).json
      yield* later
      assert.strictEqual((yield* renew(stolen.refresh_token)).json.code, "invalid_grant")
      assert.isFalse(yield* isIn(twice.access_token))
      assert.strictEqual((yield* renew(twice.refresh_token)).json.code, "invalid_grant")
      assert.isTrue(yield* isIn(other.access_token))
    })
  )

  it.effect(
    "is no good when it expired, when its session was ended, when its user is blocked, nor as access token",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ended = yield* login("root", rootPassword)
        yield* send("/api/v1/users/revoke-token", { method: "POST", ...bearer(ended.access_token) })
        assert.strictEqual((yield* renew(ended.refresh_token)).json.code, "invalid_grant")
        const session = yield* login("root", rootPassword)
        assert.isFalse(yield* isIn(session.refresh_token))
        assert.strictEqual((yield* renew(session.access_token)).json.code, "invalid_grant")
        yield* sql`update app_user set blocked = true where username = 'root'`
        assert.strictEqual((yield* renew(session.refresh_token)).json.code, "invalid_grant")
        yield* sql`update app_user set blocked = false where username = 'root'`
        yield* sql`update oauth_token set refresh_expires_at = now() - interval '1 second'`
        assert.strictEqual((yield* renew(session.refresh_token)).json.code, "invalid_grant")
      })
  )
})
