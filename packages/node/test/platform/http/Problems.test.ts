import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, layerTestServer } from "./TestServer.ts"

layer(layerTestServer())("problem documents", (it) => {
  it.effect("names every failing field of every part at once", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/v1/things/x?count=101", {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "a" })
      })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.headers["content-type"], "application/problem+json; charset=utf-8")
      const body = answer.json
      assert.strictEqual(body.type, "about:blank")
      assert.strictEqual(body.title, "Bad Request")
      assert.strictEqual(body.detail, "Incorrect request parameters: id, count, name")
      assert.strictEqual(body.error, body.detail)
      assert.strictEqual(body.instance, "/api/v1/things/x?count=101")
      assert.strictEqual(body.docs, "https://kinora.test/docs#operation/putThing")
      const locations = Object.entries<Record<string, unknown>>(body["invalid-params"]).map(([name, param]) => [
        name,
        param["location"],
        param["value"]
      ])
      assert.deepStrictEqual(locations, [
        ["id", "params", "x"],
        ["count", "query", "101"],
        ["name", "body", "a"]
      ])
      assert.deepStrictEqual(body["invalid-params"].count, {
        type: "field",
        value: "101",
        msg: "Should have a number count (max: 100)",
        param: "count",
        path: "count",
        location: "query"
      })
    })
  )

  it.effect("judges authentication before the request's fields", () =>
    Effect.gen(function* () {
      const bad = { method: "POST", body: "{}", headers: { "content-type": "application/json" } }
      const anonymous = yield* ask("/api/v1/guarded/x", bad)
      assert.strictEqual(anonymous.status, 401)
      assert.strictEqual(anonymous.json.code, "unauthorized_request")
      assert.strictEqual(anonymous.json.type, "https://kinora.test/docs#section/Errors/unauthorized_request")
      assert.notProperty(anonymous.json, "title")
      const known = yield* ask("/api/v1/guarded/x", { ...bad, headers: { ...bad.headers, authorization: "Bearer a" } })
      assert.strictEqual(known.status, 400)
      assert.deepStrictEqual(Object.keys(known.json["invalid-params"]), ["id", "name"])
    })
  )

  it.effect("answers 204 when there is nothing to say", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/v1/guarded/1", {
        method: "POST",
        body: '{"name":"abc","unknown":{"deep":true}}',
        headers: { "content-type": "application/json", authorization: "Bearer a" }
      })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.bytes.length, 0)
    })
  )

  it.effect("encodes typed failures", () =>
    Effect.gen(function* () {
      const missing = yield* ask("/api/v1/fail/missing")
      assert.strictEqual(missing.status, 404)
      assert.deepStrictEqual(missing.json, {
        type: "about:blank",
        title: "Not Found",
        detail: "Video not found",
        status: 404,
        docs: "https://kinora.test/docs#operation/fail",
        error: "Video not found"
      })
      const database = yield* ask("/api/v1/fail/database")
      assert.strictEqual(database.status, 503)
      assert.strictEqual(database.headers["retry-after"], "5")
    })
  )

  it.effect("says nothing of what went wrong inside", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v1/fail/defect", "/api/v1/fail/throw", "/broken"]) {
        const answer = yield* ask(path)
        assert.strictEqual(answer.status, 500)
        assert.deepStrictEqual(answer.json, { type: "about:blank", title: "Internal Server Error", status: 500 })
        assert.match(String(answer.headers["x-request-id"]), /^[0-9a-f]{12}-[0-9a-z]+$/)
        assert.notInclude(JSON.stringify(answer.headers) + answer.text, "secret")
      }
    })
  )

  it.effect("answers unknown paths of the API by a problem and others by the page", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = yield* ask("/api/v1/nothing-here", { method })
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(answer.json.type, "about:blank")
      }
      assert.strictEqual((yield* ask("/anything")).text, "<h1>page</h1>")
      const posted = yield* ask("/anything", { method: "POST" })
      assert.strictEqual(posted.status, 404)
      assert.strictEqual(posted.json.title, "Not Found")
    })
  )

  it.effect("names the methods of a path that has others than the one asked with", () =>
    Effect.gen(function* () {
      for (const [method, path, allowed] of [
        ["POST", "/api/v1/config", "GET, HEAD"],
        ["DELETE", "/API/v1//config/?start=1", "GET, HEAD"],
        ["PATCH", "/api/v1/things/5", "GET, PUT, HEAD"],
        ["OPTIONS", "/api/v1/things/5", "GET, PUT, HEAD"],
        ["DELETE", "/broken", "GET, HEAD"]
      ] as const) {
        const answer = yield* ask(path, { method })
        assert.deepStrictEqual([answer.status, answer.headers["allow"]], [405, allowed], `${method} ${path}`)
        assert.deepInclude(answer.json, { title: "Method Not Allowed", status: 405, type: "about:blank" })
      }
      for (const path of ["/api/v1/nothing-here", "/api", "/anything", "/"]) {
        const answer = yield* ask(path, { method: "PUT" })
        assert.deepStrictEqual([answer.status, answer.headers["allow"]], [404, undefined], path)
      }
    })
  )

  it.effect("tells bad JSON from bad fields, and unread types from both", () =>
    Effect.gen(function* () {
      const put = (body: string, type: string) =>
        ask("/api/v1/things/1", { method: "PUT", body, headers: { "content-type": type } })
      const syntax = yield* put('{"name": ', "application/json")
      assert.strictEqual(syntax.status, 400)
      assert.strictEqual(syntax.json.code, "SyntaxError")
      const unread = yield* put("<name/>", "application/xml")
      assert.strictEqual(unread.status, 415)
      assert.strictEqual(unread.headers["content-type"], "application/problem+json; charset=utf-8")
      const empty = yield* put("", "application/json")
      assert.deepStrictEqual(Object.keys(empty.json["invalid-params"]), ["name"])
      const noObject = yield* put("[1]", "application/json")
      assert.strictEqual(noObject.status, 400)
    })
  )

  it.effect("refuses bodies that are too large, declared or not", () =>
    Effect.gen(function* () {
      const headers = { "content-type": "application/json" }
      const body = JSON.stringify({ name: "x".repeat(1024 * 1024) })
      const declared = yield* ask("/api/v1/things/1", { method: "PUT", headers, body })
      assert.strictEqual(declared.status, 413)
      const chunked = yield* ask("/api/v1/things/1", {
        method: "PUT",
        headers: { ...headers, "transfer-encoding": "chunked" },
        body
      })
      assert.strictEqual(chunked.status, 413)
      assert.strictEqual(chunked.json.status, 413)
    })
  )
})
