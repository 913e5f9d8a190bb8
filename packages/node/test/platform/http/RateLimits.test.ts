import { clientKey } from "@kinora/domain/network/ClientKey"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeClientAddress } from "../../../src/platform/http/ClientAddress.ts"
import { makeMemoryStore } from "../../../src/platform/http/RateLimitStore.ts"
import { canonicalPath, redactUrl } from "../../../src/platform/http/RequestPath.ts"
import { ask, layerTestServer } from "./TestServer.ts"

const minute = 60_000
const limits = {
  api: { max: 5, windowMillis: minute },
  login: { max: 2, windowMillis: minute },
  signup: { max: 2, windowMillis: minute }
}
const via = (address: string) => ({ "x-forwarded-for": address })
const form = { "content-type": "application/json" }

layer(layerTestServer({ rateLimits: limits }))("rate limits", (it) => {
  it.effect("counts down, refuses with 429 and says when to come back", () =>
    Effect.gen(function* () {
      for (let left = 4; left >= 0; left--) {
        const answer = yield* ask("/api/v1/config", { headers: via("203.0.113.1") })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers["x-ratelimit-limit"], "5")
        assert.strictEqual(answer.headers["x-ratelimit-remaining"], String(left))
        assert.notProperty(answer.headers, "retry-after")
      }
      const refused = yield* ask("/api/v1/config", { headers: via("203.0.113.1") })
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.headers["content-type"], "application/problem+json; charset=utf-8")
      assert.strictEqual(refused.json.status, 429)
      assert.strictEqual(refused.headers["x-ratelimit-remaining"], "0")
      assert.isAtLeast(Number(refused.headers["retry-after"]), 1)
      assert.isAtMost(Number(refused.headers["retry-after"]), 60)
      assert.strictEqual((yield* ask("/api/v1/config", { headers: via("203.0.113.2") })).status, 200)
      assert.strictEqual((yield* ask("/page", { headers: via("203.0.113.1") })).status, 200)
    })
  )

  it.effect("holds logins to their own limit under every spelling of the path", () =>
    Effect.gen(function* () {
      const spellings = [
        "/api/v1/users/token",
        "/API/v1//users/token/",
        "/api/v1/users/%74oken",
        "/api/v1/users/token?x=1"
      ]
      const statuses: Array<number> = []
      for (const path of spellings) {
        statuses.push(
          (yield* ask(path, { method: "POST", body: "{}", headers: { ...form, ...via("203.0.113.3") } })).status
        )
      }
      assert.deepStrictEqual(statuses, [200, 200, 429, 429])
    })
  )

  it.effect("does not count failed registrations", () =>
    Effect.gen(function* () {
      const register = (username: string) =>
        ask("/api/v1/users/register", {
          method: "POST",
          body: JSON.stringify({ username }),
          headers: { ...form, ...via(`198.51.100.${username === "taken" ? 1 : 2}`) }
        })
      for (let i = 0; i < 4; i++) assert.strictEqual((yield* register("taken")).status, 404)
      assert.deepStrictEqual(
        [(yield* register("a")).status, (yield* register("b")).status, (yield* register("c")).status],
        [200, 200, 429]
      )
    })
  )

  it.effect("takes one IPv6 network for one client", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 5; i++) {
        assert.strictEqual((yield* ask("/api/v1/config", { headers: via(`2001:db8:1:2::${i}`) })).status, 200)
      }
      assert.strictEqual((yield* ask("/api/v1/config", { headers: via("2001:db8:1:2:ffff::1") })).status, 429)
      assert.strictEqual((yield* ask("/api/v1/config", { headers: via("2001:db8:1:3::1") })).status, 200)
    })
  )
})

layer(layerTestServer({ rateLimits: limits, trustProxy: ["10.0.0.0/8"] }))("behind nobody who is trusted", (it) => {
  it.effect("does not believe X-Forwarded-For of a stranger (API-13)", () =>
    Effect.gen(function* () {
      const seen = yield* ask("/api/v1/whoami", { headers: via("203.0.113.9") })
      assert.strictEqual(seen.json.address.value, "127.0.0.1")
      const statuses: Array<number> = []
      for (let i = 0; i < 6; i++)
        statuses.push((yield* ask("/api/v1/config", { headers: via(`203.0.113.${i}`) })).status)
      assert.deepStrictEqual(statuses, [200, 200, 200, 200, 429, 429])
    })
  )
})

layer(layerTestServer({ rateLimits: limits, trustProxy: ["127.0.0.1"] }))("a trusted proxy and a stranger", (it) => {
  it.effect("believes the proxy's address alone", () =>
    Effect.gen(function* () {
      const proxied = yield* ask("/api/v1/whoami", { headers: via("203.0.113.9") })
      assert.strictEqual(proxied.json.address.value, "203.0.113.9")
      const stranger = yield* ask("/api/v1/whoami", { headers: via("203.0.113.9"), localAddress: "127.0.0.2" })
      assert.strictEqual(stranger.json.address.value, "127.0.0.2")
      const forged = yield* ask("/api/v1/whoami", { headers: via("1.2.3.4, 203.0.113.7") })
      assert.strictEqual(forged.json.address.value, "203.0.113.7")
    })
  )
})

layer(
  layerTestServer({
    rateLimits: limits,
    rateLimitExempt: (request) => Effect.succeed(request.headers["authorization"] === "Bearer admin")
  })
)("exemption", (it) => {
  it.effect("lets administrators through past the limit", () =>
    Effect.gen(function* () {
      const get = (token: string) =>
        ask("/api/v1/config", { headers: { ...via("203.0.113.5"), authorization: `Bearer ${token}` } })
      for (let i = 0; i < 5; i++) yield* get("user")
      assert.strictEqual((yield* get("user")).status, 429)
      assert.strictEqual((yield* get("admin")).status, 200)
    })
  )
})

describe("client addresses", () => {
  it("walks from the right as far as hops are trusted", () => {
    const address = makeClientAddress(["loopback", "uniquelocal", "198.51.100.7"])
    assert.strictEqual(address("127.0.0.1", undefined), "127.0.0.1")
    assert.strictEqual(address("::ffff:127.0.0.1", "203.0.113.1"), "203.0.113.1")
    assert.strictEqual(address("127.0.0.1", "6.6.6.6, 203.0.113.1, 10.1.2.3, 198.51.100.7"), "203.0.113.1")
    assert.strictEqual(address("127.0.0.1", "203.0.113.1:4711"), "203.0.113.1")
    assert.strictEqual(address("127.0.0.1", "[2001:db8::1]:4711"), "2001:db8::1")
    assert.strictEqual(address("127.0.0.1", "203.0.113.1, unknown"), "127.0.0.1")
    assert.strictEqual(address("203.0.113.50", "10.0.0.1"), "203.0.113.50")
    assert.strictEqual(address("127.0.0.1", Array(5000).fill("10.0.0.1").join(",")), "10.0.0.1")
    assert.throws(() => makeClientAddress(["everyone"]), /everyone/)
  })

  it("groups IPv6 by network", () => {
    assert.strictEqual(clientKey("203.0.113.1"), "203.0.113.1")
    assert.strictEqual(clientKey("2001:db8::1"), "2001:db8:0:0::/64")
    assert.strictEqual(clientKey("2001:db8:0:0:1:2:3:4"), "2001:db8:0:0::/64")
    assert.strictEqual(clientKey("::1"), "0:0:0:0::/64")
  })
})

describe("the memory store", () => {
  it("begins a new window after the old one", () => {
    const store = makeMemoryStore(100)
    const limit = { max: 2, windowMillis: 1000 }
    assert.strictEqual(store.hitNow?.("a", limit, 0).used, 1)
    assert.strictEqual(store.hitNow?.("a", limit, 999).used, 2)
    assert.deepInclude(store.hitNow?.("a", limit, 1000), { used: 1, resetAt: 2000 })
  })

  it("has a bound, and still knows who came lately", () => {
    const store = makeMemoryStore(1000)
    const limit = { max: 2, windowMillis: 1_000_000 }
    for (let i = 0; i < 10_000; i++) store.hitNow?.(`client ${i}`, limit, i)
    assert.isAtMost(store.size(), 1000)
    assert.strictEqual(store.hitNow?.("client 9999", limit, 10_000).used, 2)
  })
})

describe("paths", () => {
  it("are compared as the router does", () => {
    assert.strictEqual(canonicalPath("/api/v1/users/token?a=1"), "/api/v1/users/token")
    assert.strictEqual(canonicalPath("//API//v1/users/%74oken/"), "/api/v1/users/token")
    assert.strictEqual(canonicalPath("/"), "/")
    assert.strictEqual(canonicalPath("/%zz"), "/%zz")
  })

  it("are logged without tokens", () => {
    assert.strictEqual(
      redactUrl("/x?a=1&videoFileToken=abc&access_token=def#z"),
      "/x?a=1&videoFileToken=…&access_token=…"
    )
    assert.strictEqual(redactUrl("/download/user-exports/a.zip?jwt=abc"), "/download/user-exports/a.zip?jwt=…")
    assert.strictEqual(redactUrl("/x?count=1"), "/x?count=1")
  })
})
