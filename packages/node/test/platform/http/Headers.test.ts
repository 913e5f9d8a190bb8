import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { bigAnswer } from "./TestApi.ts"
import { ask, layerTestServer } from "./TestServer.ts"

layer(layerTestServer())("headers of answers", (it) => {
  it.effect("opens the named families to other origins, without credentials", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v1/config", "/static/x", "/lazy-static/x", "/download/x", "/.well-known/webfinger"]) {
        const answer = yield* ask(path, { headers: { origin: "https://elsewhere.example" } })
        assert.strictEqual(answer.headers["access-control-allow-origin"], "*", path)
        assert.strictEqual(answer.headers["access-control-expose-headers"], "Retry-After")
        assert.notProperty(answer.headers, "access-control-allow-credentials")
      }
      assert.notProperty((yield* ask("/about")).headers, "access-control-allow-origin")
      const activity = yield* ask("/w/abc", { headers: { accept: "application/activity+json" } })
      assert.strictEqual(activity.headers["access-control-allow-origin"], "*")
    })
  )

  it.effect("answers preflights without asking the route", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/v1/things/1", {
        method: "OPTIONS",
        headers: {
          origin: "https://elsewhere.example",
          "access-control-request-method": "PUT",
          "access-control-request-headers": "authorization,content-type"
        }
      })
      assert.strictEqual(answer.status, 204)
      assert.include(answer.headers["access-control-allow-methods"], "PUT")
      assert.strictEqual(answer.headers["access-control-allow-headers"], "authorization,content-type")
    })
  )

  it.effect("carries what every answer has", () =>
    Effect.gen(function* () {
      const { headers } = yield* ask("/api/v1/config")
      assert.strictEqual(headers["x-powered-by"], "Kinora")
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["x-frame-options"], "DENY")
      assert.strictEqual(headers["referrer-policy"], "strict-origin-when-cross-origin")
      assert.strictEqual(headers["content-type"], "application/json; charset=utf-8")
      const other = yield* ask("/api/v1/config")
      assert.notStrictEqual(other.headers["x-request-id"], headers["x-request-id"])
      assert.notProperty((yield* ask("/videos/embed/abc")).headers, "x-frame-options")
      assert.strictEqual((yield* ask("/videos/watch/abc")).headers["x-frame-options"], "DENY")
    })
  )

  it.effect("answers 304 to who has it already", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v1/config", "/api/v1/big"]) {
        const first = yield* ask(path)
        const etag = String(first.headers["etag"])
        assert.match(etag, /^W\/"/)
        const again = yield* ask(path, { headers: { "if-none-match": `"other", ${etag}` } })
        assert.strictEqual(again.status, 304)
        assert.strictEqual(again.bytes.length, 0)
        assert.strictEqual(again.headers["etag"], etag)
        assert.strictEqual((yield* ask(path, { headers: { "if-none-match": '"other"' } })).status, 200)
      }
      const one = yield* ask("/api/v1/things/1")
      assert.notStrictEqual(one.headers["etag"], (yield* ask("/api/v1/things/2")).headers["etag"])
      assert.notProperty((yield* ask("/api/v1/fail/missing")).headers, "etag")
    })
  )

  it.effect("compresses what is large, as the client asks", () =>
    Effect.gen(function* () {
      const expected = JSON.stringify(bigAnswer)
      const get = (accept: string) => ask("/api/v1/big", { headers: { "accept-encoding": accept } })
      const gzip = yield* get("gzip, deflate")
      assert.strictEqual(gzip.headers["content-encoding"], "gzip")
      assert.strictEqual(gunzipSync(gzip.bytes).toString(), expected)
      assert.strictEqual(gzip.headers["vary"], "Accept-Encoding")
      const br = yield* get("gzip, br")
      assert.strictEqual(br.headers["content-encoding"], "br")
      assert.strictEqual(brotliDecompressSync(br.bytes).toString(), expected)
      const refused = yield* get("br;q=0, gzip;q=0")
      assert.notProperty(refused.headers, "content-encoding")
      assert.strictEqual(refused.headers["vary"], "Accept-Encoding")
      const small = yield* ask("/api/v1/config", { headers: { "accept-encoding": "gzip" } })
      assert.notProperty(small.headers, "content-encoding")
    })
  )
})
