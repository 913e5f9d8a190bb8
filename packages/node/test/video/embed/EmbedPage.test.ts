import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { PagesOnly } from "../../web-pages/support/PagesOnly.ts"
import { ClientAssets } from "../../../src/web-pages/ClientAssets.ts"
import { VideoPageRoutes } from "../../../src/web-pages/VideoPagesHttp.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { send } from "../../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { People } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"

const assets = Layer.succeed(ClientAssets, {
  entry: () => ({ js: "/client/x.js", css: "/client/x.css", imports: [] }),
  isDevelopment: false,
  serviceWorker: { type: "text/javascript", compressed: false, read: () => Effect.succeed(new Uint8Array()) },
  reveal: "/client/reveal.js",
  hls: "/client/hls.js",
  translation: () => undefined,
  asset: () => undefined,
  icon: () => undefined
})

const pages = PagesOnly.pipe(
  Layer.provideMerge(
    Layer.mergeAll(PageInstanceLayer, PageCommentsLayer, PageVideosLayer, VideoOrigins.layer, PageActorsLayer, assets)
  )
)

const node = People.layer.pipe(
  Layer.provideMerge(
    layerServe(Layer.merge(testRoutes, VideoPageRoutes.pipe(Layer.provide(pages))), testOptions).pipe(
      Layer.provideMerge(testServices())
    )
  )
)

layer(node, { excludeTestServices: true, timeout: 60_000 })("API-17: the embed page", (it) => {
  it.effect("of a restricted video opens on the sites of its list alone", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      const restrict = (body: object) =>
        send(`/api/v1/videos/${uuid}/embed-privacy`, {
          method: "PUT",
          headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      const from = (referer?: string) =>
        send(`/videos/embed/${uuid}`, referer === undefined ? {} : { headers: { referer } })
      for (const referer of [undefined, "https://anywhere.example/"]) {
        const open = yield* from(referer)
        assert.strictEqual(open.status, 200)
        assert.include(open.headers.get("content-security-policy") ?? "", "frame-ancestors *")
      }
      yield* restrict({ policy: 2, domains: ["allowed.example", "other.example:8443"] })
      for (const referer of [
        "https://allowed.example/",
        "http://allowed.example/a/b?c",
        "https://other.example:8443/",
        "http://localhost:9000/videos/test-embed"
      ]) {
        const shown = yield* from(referer)
        assert.strictEqual(shown.status, 200, referer)
        assert.include(shown.text, "Video of owner")
        assert.strictEqual(shown.headers.get("cache-control"), "private, no-store")
        assert.include(shown.headers.get("vary") ?? "", "Referer")
        assert.match(
          shown.headers.get("content-security-policy") ?? "",
          /frame-ancestors 'self' allowed\.example other\.example:8443(;|$)/
        )
      }
      for (const referer of [
        undefined,
        "",
        "https://allowed.example.evil.test/",
        "https://evil.test/?https://allowed.example/",
        "https://allowed.example@evil.test/",
        "https://sub.allowed.example/",
        "https://other.example/",
        "https://allowed.example:444/",
        "null",
        "data:text/html,allowed.example"
      ]) {
        const refused = yield* from(referer)
        assert.strictEqual(refused.status, 403, referer)
        assert.notInclude(refused.text, "Video of owner")
        assert.notInclude(refused.text, uuid)
        assert.strictEqual(refused.headers.get("cache-control"), "private, no-store")
        assert.include(refused.headers.get("vary") ?? "", "Referer")
      }
      yield* restrict({ policy: 1 })
      assert.strictEqual((yield* from()).status, 200)
    })
  )
})
