import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { normaliseFields } from "../../../src/platform/http/FormFields.ts"
import { ask, layerTestServer } from "./TestServer.ts"

const plain = (entries: ReadonlyArray<readonly [string, string]>) =>
  JSON.parse(JSON.stringify(normaliseFields(entries, "body")))

describe("normaliseFields", () => {
  it("reads arrays and objects as clients write them", () => {
    assert.deepStrictEqual(plain([["a", "1"]]), { a: "1" })
    assert.deepStrictEqual(
      plain([
        ["a", "1"],
        ["a", "2"]
      ]),
      { a: ["1", "2"] }
    )
    assert.deepStrictEqual(plain([["a[]", "1"]]), { a: ["1"] })
    assert.deepStrictEqual(
      plain([
        ["a[]", "1"],
        ["a[]", "2"]
      ]),
      { a: ["1", "2"] }
    )
    assert.deepStrictEqual(
      plain([
        ["a[1]", "y"],
        ["a[0]", "x"]
      ]),
      { a: ["x", "y"] }
    )
    assert.deepStrictEqual(
      plain([
        ["a[b]", "1"],
        ["a[c]", "2"]
      ]),
      { a: { b: "1", c: "2" } }
    )
    assert.deepStrictEqual(
      plain([
        ["a[0][t]", "x"],
        ["a[0][u]", "y"],
        ["a[1][t]", "z"]
      ]),
      {
        a: [{ t: "x", u: "y" }, { t: "z" }]
      }
    )
    assert.deepStrictEqual(
      plain([
        ["a", "1"],
        ["a[]", "2"]
      ]),
      { a: ["1", "2"] }
    )
    assert.deepStrictEqual(
      plain([
        ["a[", "1"],
        ["]b", "2"]
      ]),
      { "a[": "1", "]b": "2" }
    )
  })

  it("bounds counts and depth and keeps prototypes out of reach", () => {
    const refused = (entries: ReadonlyArray<readonly [string, string]>) =>
      assert.instanceOf(normaliseFields(entries, "body"), InvalidParameters)
    refused(Array.from({ length: 10_000 }, () => ["tags", "x"] as const))
    refused(Array.from({ length: 10_000 }, (_, i) => [`tags[${i}]`, "x"] as const))
    refused(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, "x"] as const))
    refused([[`a${"[b]".repeat(50)}`, "x"]])
    refused([["__proto__[admin]", "1"]])
    refused([["a[__proto__][admin]", "1"]])
    refused([["a[constructor][prototype][admin]", "1"]])
    assert.notProperty({}, "admin")
  })
})

layer(layerTestServer())("fields of requests", (it) => {
  it.effect("reads brackets in queries", () =>
    Effect.gen(function* () {
      const tags = (query: string) => Effect.map(ask(`/api/v1/things?${query}`), (answer) => answer.json?.query?.tags)
      assert.deepStrictEqual(yield* tags("tags=a"), "a")
      assert.deepStrictEqual(yield* tags("tags=a&tags=b"), ["a", "b"])
      assert.deepStrictEqual(yield* tags("tags[]=a"), ["a"])
      assert.deepStrictEqual(yield* tags("tags%5B%5D=a&tags%5B%5D=b"), ["a", "b"])
      assert.deepStrictEqual(yield* tags("tags[0]=a&tags[1]=b"), ["a", "b"])
      assert.deepStrictEqual(yield* tags("tags[x]=a"), { x: "a" })
    })
  )

  it.effect("refuses attacks on the query parser (API-07)", () =>
    Effect.gen(function* () {
      const attacks = [
        Array.from({ length: 1500 }, () => "tags=x").join("&"),
        `tags${"[a]".repeat(100)}=x`,
        "tags[__proto__][polluted]=1",
        "__proto__[polluted]=1",
        "__proto__=1",
        "constructor[prototype][polluted]=1"
      ]
      for (const query of attacks) {
        const answer = yield* ask(`/api/v1/things?${query}`)
        assert.strictEqual(answer.status, 400, query.slice(0, 40))
        assert.strictEqual(answer.headers["content-type"], "application/problem+json; charset=utf-8")
      }
      assert.notProperty({}, "polluted")
    })
  )

  it.effect("reads forms where JSON is documented", () =>
    Effect.gen(function* () {
      const put = (body: string) =>
        ask("/api/v1/things/1", {
          method: "PUT",
          body,
          headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }
        })
      assert.deepStrictEqual((yield* put("name=a+b&tags[]=x&tags[]=y&other=1")).json, {
        id: 1,
        payload: { name: "a b", tags: ["x", "y"] }
      })
      const refused = yield* put("name=a")
      assert.strictEqual(refused.json["invalid-params"].name.location, "body")
      assert.strictEqual((yield* put(`name=abc&tags${"[a]".repeat(9)}=1`)).status, 400)
      assert.strictEqual((yield* put(Array.from({ length: 9000 }, () => "tags=x").join("&"))).status, 400)
    })
  )

  it.effect("makes no difference of trailing slashes and HEAD", () =>
    Effect.gen(function* () {
      const got = yield* ask("/api/v1/things/7/")
      assert.deepStrictEqual(got.json, { id: 7 })
      const head = yield* ask("/api/v1/things/7", { method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.headers["content-length"], String(got.bytes.length))
      assert.strictEqual(head.headers["etag"], got.headers["etag"])
      assert.strictEqual(head.bytes.length, 0)
    })
  )
})
