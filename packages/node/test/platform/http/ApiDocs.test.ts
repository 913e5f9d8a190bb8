import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { Script } from "node:vm"
import { layerApiDocs } from "../../../src/platform/http/ApiDocsHttp.ts"
import { contrast } from "./Contrast.ts"
import { TestApi, testRoutes } from "./TestApi.ts"
import { ask, layerTestServer } from "./TestServer.ts"

let made = 0
const document = () => {
  made++
  return OpenApi.fromApi(TestApi)
}

layer(layerTestServer({}, Layer.merge(testRoutes, layerApiDocs({ document }))))("documentation", (it) => {
  it.effect("serves the OpenAPI document, made once", () =>
    Effect.gen(function* () {
      assert.strictEqual(made, 0)
      const first = yield* ask("/api/v1/openapi.json")
      assert.strictEqual(first.headers["content-type"], "application/json; charset=utf-8")
      assert.property(first.json.paths, "/api/v1/things/{id}")
      yield* ask("/api/v1/openapi.json")
      assert.strictEqual(made, 1)
    })
  )

  it.effect("serves a reference page that needs nothing from elsewhere", () =>
    Effect.gen(function* () {
      const page = yield* ask("/docs")
      assert.strictEqual(page.status, 200)
      assert.notMatch(page.text, /(?:src|href)="(?:https?:)?\/\//)
      const script = /<script>([\s\S]*)<\/script>/.exec(page.text)?.[1] ?? ""
      const style = /<style>([\s\S]*)<\/style>/.exec(page.text)?.[1] ?? ""
      const policy = String(page.headers["content-security-policy"])
      for (const text of [script, style]) {
        assert.include(policy, `'sha256-${createHash("sha256").update(text).digest("base64")}'`)
      }
      assert.doesNotThrow(() => new Script(script))
    })
  )

  it.effect("can be read: every colour of its texts stands out from the page, light and dark (WCAG 1.4.3)", () =>
    Effect.gen(function* () {
      const { text } = yield* ask("/docs")
      const palettes = [...text.matchAll(/:root\{([^}]*)\}/g)].map(([, rules]) =>
        [...rules!.matchAll(/--(\w+):(#[0-9a-f]{6})/g)].map(([, name, colour]) => ({ name: name!, colour: colour! }))
      )
      assert.strictEqual(palettes.length, 2)
      const pages = ["#ffffff", "#121212"]
      for (const [index, palette] of palettes.entries()) {
        assert.strictEqual(palette.length, 6)
        for (const { colour, name } of palette) {
          assert.isAtLeast(contrast(colour, pages[index]!), 4.5, `${name} on ${pages[index]}`)
        }
      }
    })
  )
})
