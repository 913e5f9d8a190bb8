import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ContactPageRoute } from "../../../src/web-pages/ContactPage.ts"
import { HomepagePageRoute, homepageHtml } from "../../../src/web-pages/HomepagePage.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { bearer, send } from "../about/Client.ts"
import { testOptions, testRoutes, testServices } from "../about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { People } from "../../video/list/People.ts"

const path = "/api/v1/custom-pages/homepage/instance"

const pages = Layer.mergeAll(HomepagePageRoute, ContactPageRoute).pipe(
  Layer.provide(Layer.mergeAll(PageInstanceLayer, BuiltClient))
)

const node = People.layer.pipe(
  Layer.provideMerge(
    layerServe(Layer.mergeAll(testRoutes, pages), testOptions).pipe(Layer.provideMerge(testServices({})))
  )
)

const put = (token: string, body: unknown) => {
  const { headers } = bearer(token)
  return send(path, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
}

layer(node, { excludeTestServices: true })("the homepage", (it) => {
  it.effect("is written by administrators, read by everybody, and taken away", () =>
    Effect.gen(function* () {
      const { administrator, moderator } = yield* People
      assert.strictEqual((yield* send(path)).status, 404)
      assert.isFalse((yield* send("/api/v1/config")).json.homepage.enabled)
      const away = yield* send("/home")
      assert.strictEqual(away.status, 302)
      assert.strictEqual(away.headers.get("location"), "/")
      const content = "# Welcome\n\n**Hello** <script>alert(1)</script> [x](javascript:alert(1))"
      assert.strictEqual((yield* put(moderator, { content })).status, 403)
      assert.strictEqual((yield* send(path, { method: "PUT" })).status, 401)
      assert.strictEqual((yield* put(administrator, { content: "x".repeat(100_001) })).status, 400)
      assert.strictEqual((yield* put(administrator, { content: 7 })).status, 400)
      assert.strictEqual((yield* put(administrator, { content })).status, 204)
      assert.deepStrictEqual((yield* send(path)).json, { content })
      assert.isTrue((yield* send("/api/v1/config")).json.homepage.enabled)
      const page = yield* send("/home")
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "<strong>Hello</strong>")
      assert.notInclude(page.text, "<script>alert")
      assert.notInclude(page.text, 'href="javascript:')
      assert.strictEqual((yield* put(administrator, {})).status, 204)
      assert.strictEqual((yield* send(path)).status, 404)
      assert.isFalse((yield* send("/api/v1/config")).json.homepage.enabled)
    })
  )

  it.effect("leaves out what other clients make of their own elements", () =>
    Effect.sync(() => {
      const { markup } = homepageHtml(
        'Before <peertube-container data-title="a">inside</peertube-container> <peertube-videos-list data-sort="-views"></peertube-videos-list> <img src=x onerror=alert(1)>'
      )
      assert.include(markup, "Before inside")
      assert.notInclude(markup, "peertube-")
      assert.notInclude(markup, "<img")
      // What grows with the square of the length does not end within the test's time.
      homepageHtml("<peertube-a ".repeat(800_000))
    })
  )

  it.effect("says that there is no contact form where there is none", () =>
    Effect.gen(function* () {
      const page = yield* send("/about/contact")
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "no contact form")
    })
  )
})
