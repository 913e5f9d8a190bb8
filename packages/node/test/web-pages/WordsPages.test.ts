import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const write = (page: Page, name: string, words: string) =>
  step(`write ${name}`, async () => {
    const dialog = page.locator("dialog")
    await dialog.getByLabel("Name").fill(name)
    await dialog.getByLabel("Words").fill(words)
    await dialog.getByRole("button", { name: "Save" }).click()
  })

const error = "[...document.querySelectorAll('dialog .f-error')].map((it) => it.textContent).join('')"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "the pages of watched words",
  (it) => {
    it.effect(
      "keep lists, and hold comments for them",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ada")
          const { page, problems } = yield* openAs("ada", "/my/watched-words")
          yield* waitFor(page, `${heading} === "Watched words" && ${says("No words watched")}`)
          yield* step("begin a list", () => page.getByRole("button", { name: "New list" }).click())
          yield* write(page, "External-link", `spam\n${"a".repeat(101)}`)
          yield* waitFor(page, `${error}.includes("Line 2 is too long") && ${error}.includes("a tag of this name")`)
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* takePictures(page, "words-dialog")
          yield* write(page, "Offers", "spam\nbuy now\nspam")
          yield* waitFor(page, says("spam, buy now"))
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "words")
          yield* step("change it", async () => {
            await page.getByRole("button", { name: "Actions for Offers" }).click()
            await page.getByRole("menuitem", { name: "Edit" }).click()
          })
          yield* write(page, "Advertising", "spam\nbuy now\ncasino")
          yield* waitFor(page, says("spam, buy now, casino"))

          yield* step("hold comments for it", async () => {
            await page.getByRole("tab", { name: "Held comments" }).click()
            await page.getByRole("switch", { name: "Advertising" }).check()
          })
          const review = sql`select name from automatic_tag_policy`
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.toast p')].some((it) => it.textContent.includes('wait for you'))"
          )
          assert.deepStrictEqual(yield* review, [{ name: "Advertising" }])
          assert.deepStrictEqual(yield* step("ask axe about tags", () => accessible(page)), [])
          yield* takePictures(page, "tags")
          yield* step("delete it", async () => {
            await page.getByRole("tab", { name: "Lists of words" }).click()
            await page.getByRole("button", { name: "Actions for Advertising" }).click()
            await page.getByRole("menuitem", { name: "Delete" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete" }).click()
          })
          yield* waitFor(page, says("No words watched"))
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "are those of the instance for moderators",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("mod", 1)
          const { page, problems } = yield* openAs("mod", "/admin/watched-words")
          yield* waitFor(page, `${heading} === "Watched words of the instance"`)
          yield* step("begin a list", () => page.getByRole("button", { name: "New list" }).click())
          yield* write(page, "Fraud", "coins")
          yield* waitFor(page, says("coins"))
          const lists = sql`
            select name, account_id = (select o.id from account o where o.actor_id = instance_actor()) as instance
            from watched_words_list`
          assert.deepStrictEqual(yield* lists, [{ name: "Fraud", instance: true }])
          yield* step("block videos for it", async () => {
            await page.getByRole("tab", { name: "Blocked videos" }).click()
            await page.getByRole("switch", { name: "Fraud" }).check()
          })
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.toast p')].some((it) => it.textContent.includes('are blocked from now on'))"
          )
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
