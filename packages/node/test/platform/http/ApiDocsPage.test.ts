import { assert, layer } from "@effect/vitest"
import { openApiDocument } from "@kinora/domain/api/OpenApiDocument"
import { Effect, Layer } from "effect"
import { layerApiDocs } from "../../../src/platform/http/ApiDocsHttp.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../../support/Browser.ts"
import { accessible } from "../../web-pages/support/WorkingAreas.ts"
import { contrast } from "./Contrast.ts"
import { testRoutes } from "./TestApi.ts"
import { layerTestServer, portOf } from "./TestServer.ts"

const docs = layerApiDocs({ document: () => openApiDocument({ origin: "https://kinora.test" }) })
const node = Layer.merge(layerTestServer({}, Layer.merge(testRoutes, docs)), Browser.layer)

/** Colours of texts and of the page behind them, one of each kind of element, as `rgb(r, g, b)`. */
const colours = `(() => {
  const pairs = new Set()
  const seen = new Set()
  const behind = (node) => {
    for (let at = node; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)"
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    let kind = ""
    for (let at = element, up = 0; at !== null && up < 4; at = at.parentElement, up++) kind += at.tagName + "." + at.className + " "
    if (seen.has(kind) || /^(SCRIPT|STYLE)/.test(kind) || walker.currentNode.data.trim() === "") continue
    seen.add(kind)
    pairs.add(getComputedStyle(element).color + " on " + behind(element))
  }
  return [...pairs]
})()`

const hex = (rgb: string): string =>
  `#${(rgb.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`

layer(node, { excludeTestServices: true, timeout: 180_000 })("the reference page of the whole API", (it) => {
  it.effect(
    "is readable on small and large screens, in light and dark colours",
    () =>
      Effect.gen(function* () {
        const { page, problems } = yield* newPage({ viewport: { width: 320, height: 800 } })
        yield* visit(page, `http://127.0.0.1:${yield* portOf}/docs`)
        yield* waitFor(page, `document.querySelectorAll("main article").length > 300`)
        // Each operation has a sentence of its own.
        const bare = yield* step("read sentences", () =>
          page.evaluate<Array<string>>(`[...document.querySelectorAll("main article[id^='operation/']")]
            .filter((article) => !/ /.test(article.querySelector("p")?.textContent ?? "")).map(({ id }) => id)`)
        )
        assert.deepStrictEqual(bare, [])
        // What is folded takes its width, too. To open all of it would keep the browser busy for a minute.
        yield* step("open some", () =>
          page.evaluate(
            `for (const one of [...document.querySelectorAll("main details")].slice(0, 40)) one.open = true`
          )
        )
        for (const width of [320, 1280]) {
          yield* step("choose a width", () => page.setViewportSize({ width, height: 800 }))
          assert.isAtMost(yield* sidewaysScroll(page), 0)
        }
        for (const colorScheme of ["light", "dark"] as const) {
          yield* step("choose colours", () => page.emulateMedia({ colorScheme }))
          const pairs = yield* step("read colours", () => page.evaluate<Array<string>>(colours))
          assert.isAbove(pairs.length, 4)
          for (const pair of pairs) {
            const [text, behind] = pair.split(" on ")
            assert.isAtLeast(contrast(hex(text!), hex(behind!)), 4.5, `${colorScheme}: ${pair}`)
          }
        }
        // Articles are alike, and axe needs two minutes for all of them.
        yield* step("keep some", () =>
          page.evaluate(
            `[...document.querySelectorAll("main article")].filter((_, i) => i % 25 !== 0).forEach((it) => it.remove())`
          )
        )
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        assert.deepStrictEqual(problems, [])
      }).pipe(Effect.scoped),
    180_000
  )
})
