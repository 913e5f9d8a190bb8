import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { TokenRows } from "@kinora/storage/people/session/TokenRows"
import { assert, it as test, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { request as httpRequest } from "node:http"
import { AccessTokens, originOf } from "../../../src/people/session/AccessTokens.ts"
import { Passwords } from "../../../src/people/session/Passwords.ts"
import { login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { baseUrl, rootPassword, testNode } from "../../instance/about/TestNode.ts"

const me = "/api/v1/users/me"
const revoke = "/api/v1/users/revoke-token"

interface RawAnswer {
  readonly status: number
  readonly code: string | undefined
}

/** A request whose headers are sent as they are: twice the same name, another Host. */
const raw = Effect.fn("raw")(function* (
  path: string,
  headers: ReadonlyArray<string>,
  options: { readonly method?: string; readonly body?: string } = {}
) {
  const base = new URL(yield* baseUrl)
  const host = headers.some((name, i) => i % 2 === 0 && name === "Host") ? [] : ["Host", base.host]
  const { body = "", method = "GET" } = options
  const length = body === "" ? [] : ["Content-Length", String(Buffer.byteLength(body))]
  return yield* Effect.callback<RawAnswer>((resume) => {
    const asked = httpRequest(
      { host: base.hostname, port: base.port, path, method, headers: [...host, ...headers, ...length], setHost: false },
      (answer) => {
        let text = ""
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()))
        answer.on("end", () =>
          resume(Effect.succeed({ status: answer.statusCode ?? 0, code: (JSON.parse(text) as RawAnswer).code }))
        )
      }
    )
    asked.on("error", (error) => resume(Effect.die(error)))
    asked.end(body)
  })
})

const fields = [
  "client_id",
  "client_secret",
  "grant_type",
  "response_type",
  "username",
  "password",
  "refresh_token",
  "externalAuthToken"
]

layer(testNode(), { excludeTestServices: true })("a token request", (it) => {
  it.effect("of other types, with fields twice or too long names each of them", () =>
    Effect.gen(function* () {
      const path = "/api/v1/users/token"
      for (const wrong of [1, true, [], ["a"], {}, { $ne: "" }, "x".repeat(1_001)]) {
        const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, wrong])))
        const { json, status } = yield* send(path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body
        })
        assert.strictEqual(status, 400, body)
        assert.strictEqual(json.detail, `Incorrect request parameters: ${fields.join(", ")}`)
        assert.isFalse(JSON.stringify(json).includes("xxxx") && json["invalid-params"].password.value !== undefined)
      }
      const twice = yield* send(path, { method: "POST", body: new URLSearchParams("username=a&username=b&x=1&x=2") })
      assert.deepStrictEqual(Object.keys(twice.json["invalid-params"]), ["username"])
    })
  )

  it.effect("with a body that is none, or far too much of one, is refused", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, string, number]> = [
        ["application/json", "{", 400],
        ["application/json", "[]", 400],
        ["application/json", "", 400],
        ["application/x-www-form-urlencoded", "", 400],
        ["application/x-www-form-urlencoded", `username=${"x".repeat(2 ** 21)}`, 413],
        ["text/plain", "grant_type=password", 415]
      ]
      for (const [type, body, status] of cases) {
        const answer = yield* send("/api/v1/users/token", {
          method: "POST",
          headers: { "content-type": type },
          body
        })
        assert.strictEqual(answer.status, status, `${type} ${body.slice(0, 20)}: ${answer.text}`)
        assert.isFalse(answer.text.includes("access_token"))
      }
    })
  )
})

layer(testNode(), { excludeTestServices: true })("an access token", (it) => {
  it.effect("sent twice is refused, whichever two ways", () =>
    Effect.gen(function* () {
      const { access_token } = yield* login("root", rootPassword)
      const header = ["Authorization", `Bearer ${access_token}`]
      const form = ["Content-Type", "application/x-www-form-urlencoded"]
      const json = ["Content-Type", "application/json; charset=utf-8"]
      const post = { method: "POST" }
      const invalid = { status: 400, code: "invalid_request" }
      assert.deepStrictEqual(yield* raw(me, [...header, ...header]), invalid)
      assert.deepStrictEqual(yield* raw(me, [...header, "authorization", "Bearer x"]), invalid)
      assert.deepStrictEqual(yield* raw(`${me}?access_token=${access_token}`, header), invalid)
      assert.deepStrictEqual(yield* raw(`${me}?a=b&access_token`, header), invalid)
      assert.deepStrictEqual(
        yield* raw(revoke, [...header, ...form], { ...post, body: `access_token=${access_token}` }),
        invalid
      )
      assert.deepStrictEqual(
        yield* raw(revoke, [...header, ...json], { ...post, body: JSON.stringify({ access_token }) }),
        invalid
      )
      assert.deepStrictEqual(yield* raw(me, header), { status: 200, code: undefined })
      const harmless = JSON.stringify({ text: "access_token", nested: { access_token: "x" } })
      assert.deepStrictEqual(yield* raw(revoke, [...header, ...json], { ...post, body: harmless }), {
        status: 200,
        code: undefined
      })
    })
  )

  it.effect("is not looked for in a body", () =>
    Effect.gen(function* () {
      const { access_token } = yield* login("root", rootPassword)
      const answer = yield* raw(revoke, ["Content-Type", "application/x-www-form-urlencoded"], {
        method: "POST",
        body: `access_token=${access_token}`
      })
      assert.deepStrictEqual(answer, { status: 401, code: "unauthorized_request" })
    })
  )

  it.effect("of another scheme or shape is no request at all", () =>
    Effect.gen(function* () {
      const { access_token } = yield* login("root", rootPassword)
      for (const value of ["", "Bearer", "Bearer ", `bearer${access_token}`, `Token ${access_token}`, `Bearer a b`]) {
        assert.deepStrictEqual(
          yield* raw(me, ["Authorization", value]),
          { status: 400, code: "invalid_request" },
          value
        )
      }
      assert.strictEqual((yield* raw(me, ["Authorization", `bEARER  ${access_token}`])).status, 200)
      const upper = access_token.toUpperCase()
      assert.deepStrictEqual(yield* raw(me, ["Authorization", `Bearer ${upper}`]), {
        status: 401,
        code: "invalid_token"
      })
    })
  )
})

const named = { webserver: { hostname: "Videos.example.org", https: true, port: 443 } }

layer(testNode(named), { excludeTestServices: true })("the client", (it) => {
  it.effect("is given at the public address and on this machine", () =>
    Effect.gen(function* () {
      const client = "/api/v1/oauth-clients/local"
      const statuses: ReadonlyArray<readonly [string, number]> = [
        ["videos.example.org", 200],
        ["VIDEOS.example.org:443", 200],
        ["127.0.0.1:9000", 200],
        ["localhost:1234", 200],
        ["[::1]:9000", 200],
        ["videos.example.org:80", 403],
        ["videos.example.org.evil.test", 403],
        ["evil.test", 403],
        ["127.0.0.1.evil.test", 403],
        ["localhost.evil.test:9000", 403],
        ["10.0.0.1", 403],
        ["videos.example.org@evil.test", 403]
      ]
      for (const [host, status] of statuses) {
        assert.strictEqual((yield* raw(client, ["Host", host])).status, status, host)
      }
      const { json } = yield* send(client)
      assert.match(json.client_id, /^[a-z0-9]{32}$/)
      assert.match(json.client_secret, /^[a-zA-Z0-9]{32}$/)
    })
  )

  it.effect("is told to come again when too many are logging in", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const form = yield* tokenForm({ grant_type: "password", username: "root", password: rootPassword })
      const busy = yield* Effect.forEach(Array.from({ length: 100 }), () =>
        Effect.forkChild(Effect.forever(Effect.ignore(passwords.verify("password1", undefined))))
      )
      yield* Effect.yieldNow
      // One of them may have ended just before the form came.
      const answer = yield* Effect.repeat(postForm(form), { until: ({ status }) => status === 503, times: 50 })
      assert.deepInclude(answer.json, { status: 503, code: "server_error" })
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      yield* Fiber.interruptAll(busy)
      assert.strictEqual((yield* postForm(form)).status, 200)
    })
  )
})

const unavailable = Layer.mock(TokenRows)({
  byAccessToken: () => Effect.fail(new DatabaseUnavailable({ retryAfterSeconds: 1 }))
})

test.effect("an access token that cannot be checked is a server error", () =>
  Effect.gen(function* () {
    const tokens = yield* AccessTokens
    const error = yield* Effect.flip(tokens.authenticate("0".repeat(40), originOf(undefined, undefined)))
    assert.deepStrictEqual([error.status, error.code], [503, "server_error"])
  }).pipe(Effect.provide(AccessTokens.layer.pipe(Layer.provide(unavailable))))
)
