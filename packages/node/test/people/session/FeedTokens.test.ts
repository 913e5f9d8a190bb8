import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FeedTokens } from "../../../src/people/session/FeedTokens.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addUser, password } from "../verification/MailedNode.ts"

const path = "/api/v1/users/scoped-tokens"

const person = Effect.fnUntraced(function* (username: string) {
  const id = yield* addUser(username)
  return { id, token: (yield* login(username, password)).access_token }
})

const get = (token: string) => Effect.map(send(path, bearer(token)), ({ json }) => json.feedToken as string)

const userOf = (token: string) =>
  Effect.flatMap(FeedTokens, (feeds) => Effect.map(feeds.userOf(token), Option.getOrNull))

layer(testNode(), { excludeTestServices: true })("tokens of private feeds", (it) => {
  it.effect("stay the same until they are renewed, and are the user's own", () =>
    Effect.gen(function* () {
      const ada = yield* person("ada")
      const bob = yield* person("bob")
      const answer = yield* send(path, bearer(ada.token))
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(Object.keys(answer.json), ["feedToken"])
      const first = answer.json.feedToken
      assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(yield* get(ada.token), first)
      assert.notStrictEqual(yield* get(bob.token), first)
      assert.strictEqual(yield* userOf(first), ada.id)

      const renewed = yield* send(path, { method: "POST", ...bearer(ada.token) })
      assert.strictEqual(renewed.status, 200)
      assert.notStrictEqual(renewed.json.feedToken, first)
      assert.strictEqual(yield* get(ada.token), renewed.json.feedToken)
      assert.isNull(yield* userOf(first))
      assert.strictEqual(yield* userOf(renewed.json.feedToken), ada.id)
      for (const method of ["GET", "POST"]) assert.strictEqual((yield* send(path, { method })).status, 401)
    })
  )

  it.effect("are one for a user whose first requests come at once", () =>
    Effect.gen(function* () {
      const { token } = yield* person("hasty")
      const told = yield* Effect.all(
        Array.from({ length: 6 }, () => get(token)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(told).size, 1)
      assert.isNotNull(yield* userOf(told[0]!))
    })
  )

  it.effect("open nothing for blocked users, nor when they are made up", () =>
    Effect.gen(function* () {
      const { id, token } = yield* person("blocked")
      const feedToken = yield* get(token)
      const sql = yield* SqlClient
      const rows = yield* sql<{ everything: string }>`select row_to_json(u)::text as everything from app_user u`
      for (const { everything } of rows) assert.notInclude(everything, feedToken)
      yield* sql`update app_user set blocked = true where id = ${id}`
      assert.isNull(yield* userOf(feedToken))
      yield* sql`update app_user set blocked = false where id = ${id}`
      assert.strictEqual(yield* userOf(feedToken), id)
      for (const bad of ["", "\u0000", feedToken.toUpperCase(), feedToken.slice(1), "x".repeat(10_000)]) {
        assert.isNull(yield* userOf(bad))
      }
    })
  )

  it.effect("are made anew when the key that sealed them is lost", () =>
    Effect.gen(function* () {
      const { token } = yield* person("keyless")
      const former = yield* get(token)
      const sql = yield* SqlClient
      yield* sql`update app_user set feed_token = '1.' || repeat('A', 80) where username = 'keyless'`
      const made = yield* get(token)
      assert.notStrictEqual(made, former)
      assert.strictEqual(yield* get(token), made)
      assert.isNull(yield* userOf(former))
    })
  )
})
