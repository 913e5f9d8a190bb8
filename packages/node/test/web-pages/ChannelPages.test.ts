import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "the pages of one's own channels",
  (it) => {
    it.effect(
      "make, change and delete a channel",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("cem")
          yield* addUser("dee")
          const { page, problems } = yield* openAs("cem", "/my/channels")
          yield* waitFor(page, "document.querySelectorAll('.rows > li').length === 1")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("make one", async () => {
            await page.getByRole("button", { name: "New channel" }).click()
            const dialog = page.locator("dialog")
            await dialog.getByLabel("Display name").fill("Walks")
            await dialog.getByLabel("Name in addresses").fill("walks here")
            await dialog.getByRole("button", { name: "New channel" }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog').textContent.includes('Use 1 to 50 letters')")
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* step("mend its name", async () => {
            await page.locator("dialog").getByLabel("Name in addresses").fill("walks")
            await page.locator("dialog").getByRole("button", { name: "New channel" }).click()
          })
          yield* waitFor(page, "document.querySelectorAll('.rows > li').length === 2")

          yield* step("open it", () => page.getByRole("link", { name: "Manage Walks" }).click())
          yield* waitFor(page, `${heading} === "Walks" && document.querySelector("main form")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("describe it", async () => {
            await page.getByLabel("Description").fill("On foot")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, said("The channel is saved."))
          assert.deepStrictEqual(yield* sql`select description from video_channel where display_name = 'Walks'`, [
            { description: "On foot" }
          ])
          yield* step("give it an avatar", async () => {
            await page.getByRole("tab", { name: "Pictures" }).click()
            const file = { name: "a.png", mimeType: "image/png", buffer: png }
            await page.locator("input[type=file]").first().setInputFiles(file)
          })
          yield* waitFor(page, said("The picture is saved."))
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("invite somebody", async () => {
            await page.getByRole("tab", { name: "People" }).click()
            await page.getByLabel("Account of this server").fill("dee")
            await page.getByRole("button", { name: "Invite" }).click()
          })
          yield* waitFor(page, "document.querySelector('.rows .badge')?.textContent === 'Invited'")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])

          yield* step("offer it to somebody", async () => {
            await page.getByRole("tab", { name: "Owner" }).click()
            await page.getByLabel("User name").fill("dee")
            await page.getByRole("button", { name: "Give away" }).click()
            await page.locator("dialog").getByRole("button", { name: "Give away" }).click()
          })
          yield* waitFor(page, "document.querySelector('main .notice')?.textContent.includes('Offered to dee')")
          yield* step("think again", () => page.getByRole("button", { name: "Withdraw the offer" }).click())
          yield* waitFor(page, said("The offer is withdrawn."))
          yield* step("begin to delete it", async () => {
            await page.getByRole("tab", { name: "Delete" }).click()
            await page.getByRole("button", { name: "Delete the channel" }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog .btn-danger')?.disabled")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("type its name", async () => {
            await page.locator("dialog").getByRole("textbox").fill("walks")
            await page.locator("dialog").getByRole("button", { name: "Delete the channel" }).click()
          })
          yield* waitFor(page, `${heading} === "My channels" && document.querySelectorAll(".rows > li").length === 1`)
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )
  }
)
