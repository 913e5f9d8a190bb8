import { assert, layer } from "@effect/vitest"
import { Effect, Inspectable, Layer, Logger, References } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { makeAccessLog } from "../../../src/platform/http/AccessLog.ts"
import { bearer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { layerTestServer } from "../../platform/http/TestServer.ts"

const lines: Array<string> = []

/** Everything that is logged at any level, with causes and annotations. */
const everything = Layer.merge(
  Logger.layer([
    Logger.make((entry) => void lines.push(Logger.formatJson.log(entry), Inspectable.toStringUnknown(entry.message)))
  ]),
  Layer.succeed(References.MinimumLogLevel)("All")
)

const find = (secrets: ReadonlyArray<string>) => lines.filter((line) => secrets.some((secret) => line.includes(secret)))

layer(testNode().pipe(Layer.provideMerge(everything)), { excludeTestServices: true })(
  "AUT-07: tokens and passwords",
  (it) => {
    it.effect("are in no log and no answer but the one that gives them, at no level", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { access_token, refresh_token } = yield* login("root", rootPassword)
        const form = yield* tokenForm({ grant_type: "password", username: "root", password: rootPassword })
        const secrets = [
          rootPassword,
          access_token,
          refresh_token,
          form.client_secret,
          "a wrong password",
          "c0ffee00c0ffee"
        ]
        const me = "/api/v1/users/me"
        const answers = [
          yield* send(me, bearer(access_token)),
          yield* send(me, bearer(`${access_token}x`)),
          yield* send(`${me}?access_token=${access_token}`),
          yield* send(me, { headers: { authorization: `Basic ${access_token}` } }),
          yield* send("/api/v1/videos?count=x", bearer(access_token)),
          yield* postForm({ ...form, password: "a wrong password" }),
          yield* postForm({ ...form, grant_type: access_token }),
          yield* postForm({ ...form, grant_type: "refresh_token", refresh_token: "c0ffee00c0ffee" }),
          yield* postForm({ ...form, username: "x".repeat(2_000) })
        ]
        yield* sql`alter table oauth_token rename to hidden`
        answers.push(
          yield* postForm(form),
          yield* postForm({ ...form, grant_type: "refresh_token", refresh_token }),
          yield* send(me, bearer("c0ffee00".repeat(5)))
        )
        yield* sql`alter table hidden rename to oauth_token`
        for (const { status, text } of answers) {
          assert.isFalse(
            secrets.some((secret) => text.includes(secret)),
            `${status} ${text}`
          )
        }
        assert.deepStrictEqual(
          answers.slice(-3).map(({ status }) => status),
          [500, 500, 503]
        )
        assert.isAbove(lines.length, 3)
        assert.deepStrictEqual(find(secrets), [])
      })
    )
  }
)

/** The token in the query, the header and the address of the page before. */
const askWithToken = async (url: string, name: string, secret: string): Promise<void> => {
  const answer = await fetch(`${url}?a=b&${name}=${secret}`, {
    headers: { authorization: `Bearer ${secret}`, referer: `http://127.0.0.1/?token=${secret}` }
  })
  await answer.text()
}

const accessLog = Layer.unwrap(
  Effect.map(makeAccessLog({ level: "Debug", pings: true, anonymizeIp: false }), (log) =>
    layerTestServer({ accessLog: log })
  )
).pipe(Layer.provideMerge(everything))

layer(accessLog, { excludeTestServices: true })("AUT-07: the access log", (it) => {
  it.effect("has the path of a request that carried a token, and not the token", () =>
    Effect.gen(function* () {
      const server = yield* HttpServer.HttpServer
      const port = "port" in server.address ? server.address.port : 0
      const secret = "c0ffee".repeat(6)
      const names = ["access_token", "videoFileToken", "token", "verificationString", "password", "refresh_token"]
      for (const name of names) {
        yield* Effect.promise(() => askWithToken(`http://127.0.0.1:${port}/secret-${name}`, name, secret))
      }
      yield* Effect.yieldNow
      const seen = lines.filter((line) => line.includes("/secret-"))
      assert.isAtLeast(seen.length, names.length)
      assert.deepStrictEqual(find([secret]), [])
    })
  )
})
