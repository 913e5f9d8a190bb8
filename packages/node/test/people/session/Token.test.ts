import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { bearer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"

const addUser = (username: string, more = {}) =>
  Effect.flatMap(Users, (users) =>
    users.create({ username, email: `${username}@example.com`, password: "password1", role: 2, ...more })
  )

layer(testNode(), { excludeTestServices: true })("POST /users/token", (it) => {
  it.effect("logs in by name or mail address, whatever the case", () =>
    Effect.gen(function* () {
      for (const username of ["root", "ROOT", "admin@example.com"]) {
        const answer = yield* postForm(
          yield* tokenForm({ grant_type: "password", response_type: "code", username, password: rootPassword })
        )
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.match(answer.json.access_token, /^[0-9a-f]{40}$/)
        assert.deepInclude(answer.json, {
          token_type: "Bearer",
          expires_in: 86_399,
          refresh_token_expires_in: 2_419_199
        })
        assert.notStrictEqual(answer.json.access_token, answer.json.refresh_token)
      }
    })
  )

  it.effect("takes JSON, and the client's credentials by HTTP Basic", () =>
    Effect.gen(function* () {
      const { client_id, client_secret } = yield* tokenForm({})
      const answer = yield* send("/api/v1/users/token", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`
        },
        body: JSON.stringify({ grant_type: "password", username: "root", password: rootPassword })
      })
      assert.strictEqual(answer.status, 200)
    })
  )

  const refused: ReadonlyArray<readonly [string, Record<string, string>, number, string, string]> = [
    [
      "wrong password",
      { grant_type: "password", username: "root", password: "wrong1" },
      400,
      "invalid_grant",
      "Wrong user name or password"
    ],
    [
      "unknown user",
      { grant_type: "password", username: "nobody", password: "wrong1" },
      400,
      "invalid_grant",
      "Wrong user name or password"
    ],
    [
      "no grant type",
      { username: "root", password: rootPassword },
      400,
      "invalid_request",
      "The field grant_type is missing"
    ],
    [
      "another grant",
      { grant_type: "client_credentials" },
      400,
      "unsupported_grant_type",
      "This grant_type is not supported: use password or refresh_token"
    ],
    [
      "wrong client",
      { grant_type: "password", username: "root", password: rootPassword, client_id: "a".repeat(32) },
      400,
      "invalid_client",
      "Unknown client, or a wrong client secret"
    ],
    [
      "wrong client secret",
      { grant_type: "password", username: "root", password: rootPassword, client_secret: "a" },
      400,
      "invalid_client",
      "Unknown client, or a wrong client secret"
    ],
    [
      "no username",
      { grant_type: "password", password: "password1" },
      400,
      "invalid_request",
      "The field username is missing"
    ],
    [
      "no password",
      { grant_type: "password", username: "root" },
      400,
      "invalid_request",
      "The field password is missing"
    ],
    ["no refresh token", { grant_type: "refresh_token" }, 400, "invalid_request", "The field refresh_token is missing"],
    [
      "a refresh token that is none",
      { grant_type: "refresh_token", refresh_token: "nonsense" },
      400,
      "invalid_grant",
      "This refresh token is invalid or has expired"
    ],
    [
      "a token of a plugin",
      { grant_type: "password", username: "root", externalAuthToken: "x" },
      400,
      "invalid_grant",
      "Logging in through another service is not available here"
    ],
    [
      "a long password",
      { grant_type: "password", username: "root", password: "ü".repeat(37) },
      400,
      "too_long_password",
      "The password is too long"
    ]
  ]
  for (const [name, fields, status, code, detail] of refused) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function* () {
        const answer = yield* postForm(yield* tokenForm(fields))
        assert.strictEqual(answer.status, status)
        assert.strictEqual(answer.headers.get("content-type"), "application/problem+json; charset=utf-8")
        assert.deepStrictEqual(answer.json, {
          type: `/docs#section/Errors/${code}`,
          detail,
          status,
          docs: "/docs#operation/getOAuthToken",
          code,
          error: detail
        })
      })
    )
  }

  it.effect("refuses a client that may not use the grant", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update oauth_client set grants = array['refresh_token']`
      const answer = yield* postForm(
        yield* tokenForm({ grant_type: "password", username: "root", password: rootPassword })
      )
      yield* sql`update oauth_client set grants = array['password', 'refresh_token']`
      assert.strictEqual(answer.json.code, "unauthorized_client")
    })
  )

  it.effect("tells that an account is blocked only to who knows the password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* addUser("blocked")
      yield* sql`update app_user set blocked = true where username = 'blocked'`
      const form = { grant_type: "password", username: "blocked" }
      const right = yield* postForm(yield* tokenForm({ ...form, password: "password1" }))
      assert.deepInclude(right.json, { status: 400, code: "account_blocked" })
      const wrong = yield* postForm(yield* tokenForm({ ...form, password: "password2" }))
      assert.strictEqual(wrong.json.code, "invalid_grant")
    })
  )

  it.effect("never answers 500 to odd text", () =>
    Effect.gen(function* () {
      for (const username of ["a\u0000b", "%", "_", "'; drop table app_user; --", "x".repeat(900), "\ud800"]) {
        const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password: "password1" }))
        assert.strictEqual(answer.status, 400)
      }
    })
  )

  it.effect("keeps tokens only as digests", () =>
    Effect.gen(function* () {
      const token = yield* login("root", rootPassword)
      const sql = yield* SqlClient
      const rows = yield* sql<{ text: string }>`select t::text as text from oauth_token t`
      assert.isTrue(rows.length > 0)
      for (const row of rows) {
        assert.isFalse(row.text.includes(token.access_token) || row.text.includes(token.refresh_token))
      }
    })
  )

  it.effect("renews a session once per refresh token", () =>
    Effect.gen(function* () {
      const first = yield* login("root", rootPassword)
      const form = yield* tokenForm({ grant_type: "refresh_token", refresh_token: first.refresh_token })
      const renewed = yield* postForm(form)
      assert.strictEqual(renewed.status, 200)
      const again = yield* postForm(form)
      assert.deepInclude(again.json, {
        code: "invalid_grant",
        detail: "This refresh token is invalid or has expired"
      })
      assert.strictEqual((yield* send("/api/v1/users/me", bearer(renewed.json.access_token))).status, 200)
    })
  )
})
