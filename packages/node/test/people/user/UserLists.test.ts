import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UserList } from "@kinora/domain/wire/User"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { call, enrol, rootToken } from "./UserCalls.ts"

const decodeList = Schema.decodeUnknownEffect(UserList)

const namesOf = Effect.fn(function* (query: string, token: string) {
  const answer = yield* call("GET", query, token)
  assert.strictEqual(answer.status, 200, answer.text)
  yield* decodeList(answer.json)
  return answer.json.data.map((user: { readonly username: string }) => user.username) as ReadonlyArray<string>
})

/** zoe, who stores most, comes before anna, who stores less; b_b and bxb have nothing. */
const some = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* enrol("zoe", 1)
  yield* enrol("anna")
  yield* enrol("b_b")
  yield* enrol("bxb")
  yield* addVideo({ owner: "zoe" })
  yield* addVideo({ owner: "zoe" })
  yield* addVideo({ owner: "anna" })
  // Each at a moment of its own, and nobody logged in but these.
  yield* sql`update app_user set created_at = now() + id * interval '1 second', last_login_at = null`
  yield* sql`update app_user set last_login_at = now() - id * interval '1 second' where username in ('anna', 'zoe')`
  return yield* rootToken
})

layer(testNode(), { excludeTestServices: true, timeout: 120_000 })("GET /users", (it) => {
  it.effect("sorts by what the contract lists, in both directions, and pages", () =>
    Effect.gen(function* () {
      const root = yield* some
      yield* Effect.flatMap(SqlClient, (sql) => sql`update app_user set last_login_at = null where username = 'root'`)
      const everybody = ["root", "zoe", "anna", "b_b", "bxb"]
      for (const [sort, names] of [
        ["id", everybody],
        ["createdAt", everybody],
        ["username", ["anna", "b_b", "bxb", "root", "zoe"]],
        ["role", ["root", "zoe", "anna", "b_b", "bxb"]],
        ["videoQuotaUsed", ["root", "b_b", "bxb", "anna", "zoe"]],
        ["lastLoginDate", ["root", "b_b", "bxb", "anna", "zoe"]]
      ] as const) {
        assert.deepStrictEqual([sort, yield* namesOf(`?sort=${sort}`, root)], [sort, names])
        assert.deepStrictEqual([sort, yield* namesOf(`?sort=-${sort}`, root)], [sort, names.toReversed()])
      }
      assert.deepStrictEqual(yield* namesOf("", root), everybody.toReversed())
      assert.deepStrictEqual(yield* namesOf("?start=1&count=2&sort=id", root), ["zoe", "anna"])
      const beyond = yield* call("GET", "?start=100", root)
      assert.deepStrictEqual(beyond.json, { total: 5, data: [] })
      const none = yield* call("GET", "?count=0&sort=-videoQuotaUsed", root)
      assert.deepStrictEqual(none.json, { total: 5, data: [] })
      const one = (yield* call("GET", "?search=zoe", root)).json.data[0]
      assert.isAbove(one.videoQuotaUsed, 0)
      assert.notProperty(one, "videosCount")
      assert.strictEqual(one.videoChannels[0].name, "zoe_channel")
    })
  )

  it.effect("filters by role, block and a part of name or address, in which wildcards are letters (API-04)", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      assert.deepStrictEqual(yield* namesOf("?role=1", root), ["zoe"])
      assert.deepStrictEqual(yield* namesOf("?role=0", root), ["root"])
      assert.deepStrictEqual(yield* namesOf("?blocked=true", root), [])
      assert.strictEqual((yield* namesOf("?blocked=false", root)).length, 5)
      assert.deepStrictEqual(yield* namesOf("?search=b_b", root), ["b_b"])
      assert.deepStrictEqual(yield* namesOf("?search=_b@EXAMPLE", root), ["b_b"])
      assert.deepStrictEqual(yield* namesOf("?search=ANNA", root), ["anna"])
      for (const wild of ["%25", "z%25e", "z_e", "%5C", "%5C%25", "'%20or%20true--"]) {
        assert.deepStrictEqual([wild, yield* namesOf(`?search=${wild}`, root)], [wild, []])
      }
      assert.deepStrictEqual(yield* namesOf("?search=nobody&role=2", root), [])
    })
  )

  it.effect("refuses other orders and bounds (API-05, API-06), and floods (API-07)", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      for (const [name, values] of Object.entries({
        sort: ["email", "password_hash", "-", "id;drop table app_user", "id,username", "--id", "ID", "id&sort=role"],
        start: ["-1", "9007199254740992", "1e3", "x"],
        count: ["-1", "101", "1000000000", "1.5", ""],
        role: ["3", "-1", "admin", "0&role=1"],
        blocked: ["maybe"],
        search: ["x".repeat(501), "%00"]
      })) {
        for (const value of values) {
          const answer = yield* call("GET", `?${name}=${value}`, root)
          assert.strictEqual(answer.status, 400, `${name}=${value}: ${answer.text}`)
          assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [name])
        }
      }
      const many = `?${"search=a&".repeat(2_000)}`
      assert.include([400, 414, 431], (yield* call("GET", many, root)).status)
      assert.strictEqual((yield* call("GET", "?search[a][b][c][d][e]=1", root)).status, 400)
      assert.strictEqual((yield* call("GET", "?__proto__[role]=0&role[__proto__]=1", root)).status, 400)
      assert.strictEqual((yield* call("GET", "?unknown=1", root)).status, 200)
    })
  )

  it.effect("completes names for everybody, at most ten, wildcards being letters", () =>
    Effect.gen(function* () {
      const complete = Effect.fn(function* (search: string) {
        const answer = yield* call("GET", `/autocomplete?search=${search}`)
        assert.strictEqual(answer.status, 200, answer.text)
        return answer.json
      })
      assert.deepStrictEqual(yield* complete("b_b"), ["b_b"])
      assert.deepStrictEqual(yield* complete("B"), ["b_b", "bxb"])
      assert.deepStrictEqual(yield* complete("o"), ["root", "zoe"])
      assert.deepStrictEqual(yield* complete("%25"), [])
      assert.deepStrictEqual(yield* complete("example.com"), [])
      const sql = yield* SqlClient
      yield* sql`
        insert into app_user (username, email, password_hash, role)
        select 'many' || n, 'many' || n || '@example.com', 'x', 2 from generate_series(1, 20) n`
      assert.strictEqual((yield* complete("many")).length, 10)
      yield* sql`update app_user set blocked = true where username like 'many%'`
      assert.deepStrictEqual(yield* complete("many"), [])
      for (const bad of ["", "?search=", `?search=${"x".repeat(501)}`, "?search=%00"]) {
        const answer = yield* call("GET", `/autocomplete${bad}`)
        if (bad === "?search=") assert.isAtMost(answer.json.length, 10)
        else assert.strictEqual(answer.status, 400, bad.slice(0, 20))
      }
    })
  )
})
