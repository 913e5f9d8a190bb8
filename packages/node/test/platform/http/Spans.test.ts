import { assert, it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { ask, layerTestServer, until } from "./TestServer.ts"

const spans: Array<Tracer.NativeSpan> = []

/** Keeps every span that begins. */
const tracer = Tracer.make({
  span: (options) => {
    const span = new Tracer.NativeSpan(options)
    spans.push(span)
    return span
  }
})

const server = layerTestServer().pipe(Layer.provideMerge(Layer.succeed(Tracer.Tracer)(tracer)))

it.layer(server, { excludeTestServices: true })("spans of requests", (it) => {
  const spanOf = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
    spans.length = 0
    yield* ask(path, { headers })
    const ended = () => spans.find(({ kind, status }) => kind === "server" && status._tag === "Ended")
    yield* until(() => ended() !== undefined)
    return ended()!
  })

  it.effect("name the route that answers, of the API and beside it", () =>
    Effect.gen(function* () {
      const thing = yield* spanOf("/api/v1/things/12")
      assert.strictEqual(thing.attributes.get("http.route"), "/api/v1/things/:id")
      assert.strictEqual(thing.attributes.get("http.response.status_code"), 200)
      const raw = yield* spanOf("/static/file.txt")
      assert.match(String(raw.attributes.get("http.route")), /^\/static/)
    })
  )

  it.effect("carry no token and no password", () =>
    Effect.gen(function* () {
      const span = yield* spanOf("/api/v1/things/12?videoFileToken=secret1&token=secret2&count=3", {
        authorization: "Bearer secret3",
        cookie: "a=secret4",
        "x-peertube-video-password": "secret5",
        "x-peertube-otp": "secret6"
      })
      const text = JSON.stringify([...span.attributes].map(([key, value]) => [key, String(value)]))
      assert.include(text, "count")
      assert.notInclude(text, "secret")
    })
  )
})
