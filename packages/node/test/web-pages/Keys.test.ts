import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "keys of the pages",
  (it) => {
    it.effect(
      "search, go elsewhere and stand on a sheet, where they are switched off",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* newPage()
          const press = (...keys: ReadonlyArray<string>) =>
            step(`press ${keys.join(" ")}`, async () => {
              for (const key of keys) await page.keyboard.press(key)
            })
          yield* visit(page, yield* baseUrl)
          yield* press("/")
          yield* waitFor(page, "document.activeElement.type === 'search'")
          yield* press("?", "g", "b")
          assert.strictEqual(yield* step("read", () => page.locator("header input[type=search]").inputValue()), "?gb")
          yield* step("leave the box", () => page.evaluate("document.activeElement.blur()"))
          yield* press("g", "t")
          yield* waitFor(page, "location.pathname === '/videos/trending'")
          yield* press("?")
          yield* waitFor(page, `document.querySelector("dialog[open] h2")?.textContent === "Keys"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "keys")
          yield* step("switch off", () => page.getByLabel("Keys of one letter work on pages").uncheck())
          yield* press("Escape")
          yield* waitFor(page, `document.querySelector("dialog") === null`)
          yield* press("g", "b", "/")
          assert.isTrue(yield* step("look", () => page.evaluate<boolean>("document.activeElement === document.body")))
          yield* press("?")
          yield* step("switch on", () => page.getByLabel("Keys of one letter work on pages").check())
          yield* press("Escape")
          yield* waitFor(page, `document.querySelector("dialog") === null`)
          yield* press("g", "b")
          yield* waitFor(page, "location.pathname === '/videos/browse'")
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "work in the working areas, in the language of the user",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/my/history", { locale: "fr-FR" })
          yield* waitFor(page, `${heading} === "Historique"`)
          yield* step("ask for the keys", () => page.keyboard.press("?"))
          yield* waitFor(page, `document.querySelector("dialog[open] h2")?.textContent === "Touches"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
