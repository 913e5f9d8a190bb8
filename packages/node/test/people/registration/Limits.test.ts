import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { defaultHttpOptions } from "../../../src/platform/http/DefaultHttpOptions.ts"
import { canonicalPath, classify } from "../../../src/platform/http/RequestPath.ts"
import { networkList } from "../../../src/people/registration/NetworkList.ts"
import { send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { ask, decide, from, person, register, rootToken, wish } from "./Signup.ts"

const open = { enabled: true, requires_approval: false, limit: -1 }

const shown = (headers: Record<string, string> = {}) =>
  Effect.map(send("/api/v1/config", { headers }), (answer) => {
    const { allowed, allowedForCurrentIP } = answer.json.signup
    return [allowed, allowedForCurrentIP] as const
  })

const userCount = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* sql<{ users: number }>`select count(*) as users from app_user`)[0]!.users
})

layer(testNode({ signup: { enabled: false, limit: -1 } }), { excludeTestServices: true })("A closed instance", (it) => {
  it.effect("registers nobody and says so", () =>
    Effect.gen(function* () {
      for (const answer of [yield* register(person("anna")), yield* ask(wish("anna"))]) {
        assert.strictEqual(answer.status, 403)
        assert.include(answer.json.detail, "closed")
      }
      assert.deepStrictEqual(yield* shown(), [false, false])
      assert.strictEqual(yield* userCount, 1)
    })
  )
})

layer(testNode({ signup: { ...open, limit: 4 } }), { excludeTestServices: true })("An instance with a limit", (it) => {
  it.effect("takes as many users as it says, however many come at once", () =>
    Effect.gen(function* () {
      const crowd = Array.from({ length: 8 }, (_, i) => register(person(`crowd${i}`)))
      const answers = yield* Effect.all(crowd, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map((answer) => answer.status).toSorted(),
        [200, 200, 200, 403, 403, 403, 403, 403]
      )
      assert.strictEqual(yield* userCount, 4)
    })
  )
})

layer(testNode({ signup: { ...open, limit: 1 } }), { excludeTestServices: true })("A full instance", (it) => {
  it.effect("says so before anybody tries", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown(), [false, false])
      const answer = yield* register(person("late"))
      assert.strictEqual(answer.status, 403)
      assert.include(answer.json.detail, "as many users")
    })
  )
})

const approved = { ...open, requires_approval: true, limit: 2 }
layer(testNode({ signup: approved }), { excludeTestServices: true })("A limit with approval", (it) => {
  it.effect("counts users and not wishes; moderators may go beyond it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown(), [true, true])
      const ids: Array<number> = []
      for (const name of ["one", "two", "three"]) ids.push((yield* ask(wish(name))).json.id)
      const token = yield* rootToken
      assert.strictEqual((yield* decide(ids[0]!, "accept", token)).status, 204)
      assert.strictEqual((yield* ask(wish("four"))).status, 403)
      assert.strictEqual((yield* decide(ids[1]!, "accept", token)).status, 204)
      assert.strictEqual(yield* userCount, 3)
    })
  )
})

const networks = { whitelist: ["203.0.113.0/24", "2001:db8::/32"], blacklist: ["203.0.113.66"] }
const filtered = { ...open, filters: { cidr: networks } }
layer(testNode({ signup: filtered }), { excludeTestServices: true })("Networks that may register", (it) => {
  it.effect("are told by the address the nearest proxy names", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [Record<string, string>, boolean]> = [
        [from("203.0.113.7"), true],
        [from("2001:db8::7"), true],
        [from("::ffff:203.0.113.8"), true],
        [from("203.0.113.66"), false],
        [from("198.51.100.1"), false],
        [from("2001:db9::7"), false],
        // What the client wrote itself stands left of what the proxy saw.
        [from("203.0.113.7", "198.51.100.1"), false],
        [from("198.51.100.1", "203.0.113.9"), true],
        [from("203.0.113.7", "not an address"), false],
        [{ forwarded: "for=203.0.113.7", "x-real-ip": "203.0.113.7" }, false],
        [{}, false]
      ]
      for (const [i, [headers, permitted]] of cases.entries()) {
        assert.deepStrictEqual(yield* shown(headers), [true, permitted], JSON.stringify(headers))
        const answer = yield* register(person(`net${i}`), headers)
        assert.strictEqual(answer.status, permitted ? 200 : 403, JSON.stringify(headers))
        if (!permitted) assert.include(answer.json.detail, "network")
      }
    })
  )
})

const unverifiable = { ...open, requires_email_verification: true }
layer(testNode({ signup: unverifiable }), { excludeTestServices: true })("Verification without mail", (it) => {
  it.effect("closes the instance: nobody could ever log in", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* shown(), [false, false])
      const answer = yield* register(person("anna"))
      assert.strictEqual(answer.status, 403)
      assert.include(answer.json.detail, "mail")
    })
  )
})

describe("networkList", () => {
  it("knows addresses and networks of both kinds", () => {
    const isIn = networkList(["10.0.0.0/8", "192.0.2.1", "2001:db8::/33", "::1"])
    const inside = ["10.255.0.1", "192.0.2.1", "2001:db8:7fff::1", "::1"]
    const outside = ["11.0.0.1", "192.0.2.2", "2001:db8:8000::1", "::2", "", "localhost"]
    for (const address of inside) assert.isTrue(isIn(address), address)
    for (const address of outside) assert.isFalse(isIn(address), address)
    assert.isFalse(networkList([])("10.0.0.1"))
  })
})

describe("The signup limit", () => {
  it("covers both ways in under every spelling, and counts successes alone", () => {
    for (const path of ["/api/v1/users/register", "/api/v1/users/registrations/request/", "/api//v1/Users/Register"]) {
      const found = classify("POST", canonicalPath(path), undefined, () => false)
      assert.deepInclude(found, { limit: "api", extraLimit: "signup", skipFailed: true }, path)
    }
    assert.deepStrictEqual(defaultHttpOptions.rateLimits.signup, { max: 2, windowMillis: 300_000, exact: true })
  })
})
