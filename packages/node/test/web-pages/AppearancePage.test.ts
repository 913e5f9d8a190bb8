import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import sharp from "sharp"
import { send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { said } from "./support/MyPages.ts"
import { accessible, scriptBytes } from "./support/WorkingAreas.ts"

const picture = Effect.promise(() =>
  sharp({ create: { width: 400, height: 200, channels: 4, background: "#642080" } })
    .png()
    .toBuffer()
)

/** Chooses a file in the part of the page with a heading. */
const choose = (page: Page, title: string, name: string, buffer: Buffer) =>
  step(`choose ${name} for ${title}`, () =>
    page
      .getByRole("region", { name: title, exact: true })
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "image/png", buffer })
  )

/** What is wrong with the file of a picture, in words. */
const wrongIn = (title: string) =>
  `[...document.querySelectorAll("section.picture")].find((it) => it.querySelector("h2").textContent === ${JSON.stringify(title)}).querySelector(".f-error").textContent`

const instance = Effect.map(send("/api/v1/config"), ({ json }) => json.instance)

/** A page that visitors see. */
const publicPage = Effect.fnUntraced(function* (path: string) {
  const { page } = yield* newPage()
  yield* visit(page, (yield* baseUrl) + path)
  return page
})

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "page of the appearance",
  (it) => {
    it.effect(
      "sets and removes pictures, and says what is wrong with a file",
      () =>
        Effect.gen(function* () {
          const png = yield* picture
          const { page, problems } = yield* openAs("root", "/admin/appearance")
          yield* waitFor(
            page,
            `${heading} === "Appearance" && document.querySelectorAll("section.picture").length === 6`
          )
          yield* choose(page, "Avatar", "a.svg", png)
          yield* waitFor(page, `${wrongIn("Avatar")}.includes("PNG, JPEG, GIF, WebP")`)
          yield* choose(page, "Avatar", "a.png", Buffer.alloc(9 * 1024 * 1024))
          yield* waitFor(page, `${wrongIn("Avatar")}.includes("at most")`)
          yield* choose(page, "Avatar", "a.png", Buffer.from("no picture"))
          yield* waitFor(page, `${wrongIn("Avatar")} !== "" && !${wrongIn("Avatar")}.includes("at most")`)
          yield* choose(page, "Avatar", "a.png", png)
          yield* waitFor(
            page,
            `${said("The picture is saved.")} && document.querySelector("section.picture .face img")`
          )
          const [avatar] = (yield* instance).avatars
          assert.strictEqual((yield* send(avatar.path)).status, 200)

          yield* choose(page, "Wide logo", "wide.png", png)
          yield* waitFor(page, `document.querySelector("[data-logo='header-wide']")?.naturalHeight === 48`)
          yield* step("drop a file", () =>
            page.evaluate(`{
              const files = new DataTransfer()
              files.items.add(new File([Uint8Array.from(atob("${png.toString("base64")}"), (it) => it.charCodeAt(0))], "i.png"))
              const place = [...document.querySelectorAll("section.picture")].find((it) => it.textContent.includes("Icon of the tab"))
              for (const type of ["dragenter", "dragover", "drop"])
                place.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }))
            }`)
          )
          yield* waitFor(page, `document.querySelector("[data-logo='favicon']")?.naturalHeight === 32`)
          yield* takePictures(page, "appearance")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])

          // Pages name the public address of the instance, which is not that of this test.
          const seen = yield* publicPage("/")
          const addresses = yield* step("read which pictures the public page has", () =>
            seen.evaluate<ReadonlyArray<string>>(
              `[document.querySelector(".brand img").src, document.querySelector("link[rel=icon]").href]`
            )
          )
          for (const address of addresses) {
            const { pathname } = new URL(address)
            assert.include(pathname, "/static/uploads/")
            assert.strictEqual((yield* send(pathname)).status, 200)
          }
          yield* step("remove them", async () => {
            await page.getByRole("button", { name: "Remove the avatar" }).click()
            await page.getByRole("button", { name: "Remove the wide logo" }).click()
            await page.getByRole("button", { name: "Remove the icon" }).click()
          })
          yield* waitFor(
            page,
            `document.querySelector("section.picture .face img") === null && document.querySelector("[data-logo]") === null`
          )
          assert.deepStrictEqual((yield* instance).avatars, [])
          yield* step("load the public page again", () => seen.reload())
          yield* waitFor(seen, `document.querySelector(".brand img") === null`)
          assert.isEmpty(problems.filter((it) => !it.includes("status of 400")))
        }),
      minutes
    )

    it.effect(
      "changes colours with a preview, and keeps what was typed over a reload",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin/appearance?part=theme")
          yield* waitFor(page, `document.querySelectorAll(".look-page").length === 2`)
          yield* step("choose a page that the dark scheme cannot be read on", () =>
            page.getByLabel("Page", { exact: true }).fill("white")
          )
          yield* waitFor(
            page,
            `document.querySelectorAll(".look-hard")[0].children.length === 0 && document.querySelectorAll(".look-hard")[1].textContent.includes("“Text” on “Page”")`
          )
          yield* step("load again", () => page.reload())
          yield* waitFor(page, `${says("Your changes are not saved yet.")} && ${says("“Text” on “Page”")}`)
          yield* takePictures(page, "appearance-theme")
          // What is hard to read in the preview would be found on the page itself.
          yield* step("choose none", () => page.getByLabel("Page", { exact: true }).fill(""))
          yield* waitFor(page, `!${says("Hard to read")}`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("choose no colour", () => page.getByLabel("Page", { exact: true }).fill("no colour;"))
          yield* step("save", () => page.getByRole("button", { name: "Save" }).click())
          yield* waitFor(page, `document.querySelector(".two [data-invalid=true] .f-error")?.textContent !== undefined`)
          yield* step("choose another", async () => {
            await page.getByLabel("Page", { exact: true }).fill("")
            await page.getByLabel("Header", { exact: true }).fill("rgb(1, 2, 3)")
            await page.getByLabel("Text in the header", { exact: true }).fill("#fefefe")
            await page.getByLabel("Text in the menu", { exact: true }).fill("#fefefe")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, `${says("Save")} && !${says("Your changes are not saved yet.")}`)
          const seen = yield* publicPage("/")
          yield* waitFor(seen, `getComputedStyle(document.querySelector(".top")).backgroundColor === "rgb(1, 2, 3)"`)
          assert.isEmpty(problems.filter((it) => !it.includes("status of 400")))
        }),
      minutes
    )

    it.effect(
      "adds CSS and JavaScript to the public pages",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin/appearance?part=code")
          yield* waitFor(page, `document.querySelectorAll(".in-code").length === 2`)
          yield* step("write both", async () => {
            await page.getByLabel("CSS", { exact: true }).fill(".foot { letter-spacing: 7px }")
            await page.getByLabel("JavaScript", { exact: true }).fill(`document.documentElement.dataset.ours = "yes"`)
          })
          yield* takePictures(page, "appearance-code")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("save", () => page.getByRole("button", { name: "Save" }).click())
          yield* waitFor(page, said("The appearance is saved. Other pages show it when they are loaded again."))
          const seen = yield* publicPage("/")
          yield* waitFor(
            seen,
            `getComputedStyle(document.querySelector(".foot")).letterSpacing === "7px" && document.documentElement.dataset.ours === "yes"`
          )
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "writes a home page with a preview, and takes it back",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin/appearance?part=home")
          yield* waitFor(page, `document.querySelector(".home-preview") !== null`)
          const text =
            "Videos **of our town**\n\n- one\n- two\n\n<script>x</script> <peertube-container>inside</peertube-container>"
          yield* step("write it", () => page.getByLabel("Text in Markdown").fill(text))
          yield* waitFor(
            page,
            `document.querySelector(".home-preview strong")?.textContent === "of our town" && document.querySelectorAll(".home-preview li").length === 2`
          )
          yield* step("load again", () => page.reload())
          yield* waitFor(page, `document.querySelector(".home-preview strong") !== null`)
          const preview = yield* step("read the preview", () => page.locator(".home-preview").innerText())
          assert.include(preview, "<script>x</script> inside")
          yield* takePictures(page, "appearance-home")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("save", () => page.getByRole("button", { name: "Save" }).click())
          yield* waitFor(page, said("The home page is saved."))
          const seen = yield* publicPage("/home")
          const shown = yield* step("read the page", () => seen.locator(".plain").innerText())
          assert.include(shown, "<script>x</script> inside")
          yield* waitFor(seen, `document.querySelector(".plain strong")?.textContent === "of our town"`)
          yield* step("take it back", async () => {
            await page.getByLabel("Text in Markdown").fill("")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, said("There is no home page any more."))
          yield* step("load the public page again", () => seen.reload())
          yield* waitFor(seen, `location.pathname === "/"`)
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "is for administrators, in their language",
      () =>
        Effect.gen(function* () {
          yield* addUser("mod", 1)
          const { page } = yield* openAs("mod", "/admin/appearance")
          yield* waitFor(page, `document.querySelector("main").textContent.includes("This page is not for you")`)
          const french = yield* openAs("root", "/admin/appearance?part=theme", { locale: "fr-FR" })
          yield* waitFor(french.page, `${heading} === "Apparence" && ${says("Mode sombre")}`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(french.page)), [])
          yield* step("look at the pictures", () => french.page.getByRole("tab", { name: "Images" }).click())
          yield* waitFor(french.page, `document.querySelectorAll("section.picture").length === 6`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(french.page)), [])
        }),
      minutes
    )

    it.effect(
      "weighs little",
      () =>
        Effect.gen(function* () {
          const { page } = yield* openAs("root", "/admin/config")
          yield* waitFor(page, `${heading} === "Configuration"`)
          const before = yield* step("weigh", () => scriptBytes(page))
          yield* step("open the page", () => page.getByRole("link", { name: "Appearance" }).first().click())
          yield* waitFor(page, `document.querySelectorAll("section.picture").length === 6`)
          assert.isBelow((yield* step("weigh", () => scriptBytes(page))) - before, 30 * 1024)
        }),
      minutes
    )
  }
)
