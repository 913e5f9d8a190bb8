import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { accountOf, report } from "../social/abuse/AbuseClient.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures, tokenOf } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const cards = "[...document.querySelectorAll('.report h2')].map((it) => it.textContent.split(',')[0]).join()"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "page of reports",
  (it) => {
    it.effect(
      "shows reports, and lets moderators talk, decide, block and mute",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("mod", 1)
          yield* addUser("ann")
          yield* addUser("bob")
          const { id } = yield* addVideo({ owner: "bob" })
          const ann = yield* tokenOf("ann")
          const abuse = yield* report(ann, {
            reason: "At this time somebody is shown who did not want it.",
            predefinedReasons: ["privacy"],
            video: { id, startAt: 63, endAt: 75 }
          })
          yield* report(ann, { reason: "Writes the same everywhere", account: { id: yield* accountOf("bob") } })
          const { page, problems } = yield* openAs("mod", "/admin/reports")
          yield* waitFor(page, `${heading} === "Reports" && ${cards} === "Account,Video"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "reports")

          yield* step("show videos alone", () => page.getByLabel("About", { exact: true }).selectOption("video"))
          yield* waitFor(page, `${cards} === "Video" && location.search === "?kind=video"`)
          assert.match(
            (yield* step("read the link", () => page.getByRole("link", { name: "Watch at" }).getAttribute("href"))) ??
              "",
            /^\/w\/.+\?start=63$/
          )

          yield* step("write to the reporter", async () => {
            await page.getByRole("button", { name: "Messages (0)" }).click()
            await page.getByLabel("Message to the reporter").fill("Who is it?")
            await page.getByRole("button", { name: "Send" }).click()
          })
          yield* waitFor(page, `${says("Messages (1)")} && ${says("Who is it?")}`)
          assert.deepStrictEqual(yield* step("ask axe about messages", () => accessible(page)), [])
          yield* takePictures(page, "reports-messages")
          assert.strictEqual(
            (yield* sql<{ message: string }>`select message from abuse_message where abuse_id = ${abuse}`)[0]?.message,
            "Who is it?"
          )

          yield* step("note something", async () => {
            await page.getByRole("button", { name: `More for report ${abuse}` }).click()
            await page.getByRole("menuitem", { name: "Internal comment" }).click()
            await page.getByLabel("Comment", { exact: false }).last().fill("Asked on Monday")
            await page.locator("dialog").getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, `${says("Asked on Monday")} && document.querySelector("dialog") === null`)

          yield* step("block the video", async () => {
            await page.getByRole("button", { name: `More for report ${abuse}` }).click()
            await page.getByRole("menuitem", { name: "Block the video" }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog')?.open")
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* step("say why", async () => {
            await page.locator("dialog").getByLabel("Reason").fill("Privacy")
            await page.locator("dialog").getByRole("button", { name: "Block", exact: true }).click()
          })
          yield* waitFor(page, says("The video is blocked."))
          assert.deepStrictEqual(yield* sql`select reason from video_blacklist where video_id = ${id}`, [
            { reason: "Privacy" }
          ])

          yield* step("mute the account", async () => {
            await page.getByRole("button", { name: `More for report ${abuse}` }).click()
            await page.getByRole("menuitem", { name: "Mute the account" }).click()
            await page.locator("dialog").getByRole("button", { name: "Mute", exact: true }).click()
          })
          yield* waitFor(page, says("bob is muted."))

          yield* step("accept", () => page.getByRole("button", { name: "Accept" }).click())
          yield* waitFor(page, `${says("The report is accepted")} && ${says("Open again")}`)
          yield* step("delete", async () => {
            await page.getByRole("button", { name: `More for report ${abuse}` }).click()
            await page.getByRole("menuitem", { name: "Delete the report" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, says("Nothing found"))
          assert.deepStrictEqual(yield* sql`select 1 from abuse where id = ${abuse}`, [])
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "is for moderators alone, and speaks French",
      () =>
        Effect.gen(function* () {
          yield* addUser("cat")
          const { page } = yield* openAs("cat", "/admin/reports")
          yield* waitFor(page, says("This page is not for you"))
          const french = yield* openAs("root", "/admin/reports", { locale: "fr-FR" })
          yield* waitFor(french.page, `${heading} === "Signalements"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(french.page)), [])
        }),
      minutes
    )
  }
)
