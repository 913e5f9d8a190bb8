import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { PagesServer } from "./support/PagesServer.ts"
import { World } from "./support/World.ts"

layer(PagesServer.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "without a connection",
  (it) => {
    it.effect("a page says so in the looks of the instance, and comes by itself when there is one again", () =>
      Effect.gen(function* () {
        const { origin } = yield* World
        const { page } = yield* newPage()
        yield* visit(page, `${origin}/`)
        yield* step("wait for the worker", () =>
          page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === "activated" ||
            new Promise((done) => active.addEventListener("statechange", done)))`)
        )
        // It is in the language of the pages, when that changes as well.
        const cookie = { name: "clientLanguage", value: "fr", url: origin }
        yield* step("choose French", () => page.context().addCookies([cookie]))
        yield* visit(page, `${origin}/about`)
        yield* waitFor(
          page,
          `(caches.open("kinora-offline").then((it) => it.match("/offline")).then((it) => {
            window.kept = it?.headers.get("content-language")
          }), window.kept === "fr")`
        )
        yield* step("pull the plug", () => page.context().setOffline(true))
        yield* step("go on", () => page.goto(`${origin}/about`))
        yield* waitFor(page, `document.querySelector("h1").textContent === "Il n’y a pas de connexion"`)
        assert.isAbove(yield* step("count", () => page.evaluate<number>("document.styleSheets[0].cssRules.length")), 10)
        assert.strictEqual(new URL(page.url()).pathname, "/about")
        yield* step("put it back", () => page.context().setOffline(false))
        yield* waitFor(page, `document.querySelector("h1").textContent.startsWith("À propos")`)
      })
    )
  }
)
