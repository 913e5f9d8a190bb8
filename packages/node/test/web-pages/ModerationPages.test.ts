import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures, tokenOf } from "./support/Admins.ts"
import { said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

const rows = "document.querySelectorAll('[data-row]').length"

/** Sends JSON as a user. */
const post = Effect.fnUntraced(function* (username: string, path: string, body: object) {
  const token = yield* tokenOf(username)
  const answer = yield* send(`/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.isBelow(answer.status, 300)
})

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "pages of moderators",
  (it) => {
    it.effect(
      "blocked videos are explained, accepted and blocked no longer",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ann")
          yield* addUser("mod", 1)
          const first = yield* addVideo({ owner: "ann" })
          const second = yield* addVideo({ owner: "ann" })
          yield* post("mod", `/videos/${first.uuid}/blacklist`, { reason: "Against rule 3" })
          yield* post("mod", `/videos/${second.uuid}/blacklist`, {})
          yield* sql`update video_blacklist set type = 2 where video_id = ${second.id}`
          const { page, problems } = yield* openAs("mod", "/admin/video-blocks")
          yield* waitFor(page, `${heading} === "Blocked videos" && ${rows} === 2 && ${says("Against rule 3")}`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "video-blocks")
          yield* step("see what waits", () => page.getByLabel("Blocked by").selectOption("2"))
          yield* waitFor(page, `${rows} === 1 && location.search === "?type=2"`)
          yield* step("accept it", async () => {
            await page.getByLabel("Select all").check()
            await page.getByRole("button", { name: "Accept" }).click()
            await page.locator("dialog").getByRole("button", { name: "Accept" }).click()
          })
          yield* waitFor(page, `${said("1 video is seen again.")} && ${rows} === 0`)
          yield* step("see all", () => page.getByLabel("Blocked by").selectOption(""))
          yield* waitFor(page, `${rows} === 1`)
          yield* step("change the reason", async () => {
            await page.getByRole("button", { name: /^Actions for/ }).click()
            await page.getByRole("menuitem", { name: "Change the reason" }).click()
            await page.locator("dialog").getByLabel("Reason").fill("Against rule 4")
            await page.locator("dialog").getByRole("button", { name: "Save the reason" }).click()
          })
          yield* waitFor(page, `${rows} === 1 && ${says("Against rule 4")}`)
          yield* step("unblock it", async () => {
            await page.getByRole("button", { name: /^Actions for/ }).click()
            await page.getByRole("menuitem", { name: "Block no longer" }).click()
            await page.locator("dialog").getByRole("button", { name: "Block no longer" }).click()
          })
          yield* waitFor(page, says("No video is blocked"))
          assert.deepStrictEqual(yield* sql`select 1 from video_blacklist`, [])
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "all comments are narrowed, approved and deleted, and their author is muted",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("bea")
          yield* addUser("cleo")
          yield* addUser("max", 1)
          const { id, uuid } = yield* addVideo({ owner: "bea" })
          yield* post("cleo", `/videos/${uuid}/comment-threads`, { text: "Very fine" })
          yield* sql`update video set comments_policy = 3 where id = ${id}`
          yield* post("cleo", `/videos/${uuid}/comment-threads`, { text: "Is this read?" })
          yield* post("bea", `/videos/${uuid}/comment-threads`, { text: "Thank you" })
          const { page, problems } = yield* openAs("max", "/admin/comments")
          yield* waitFor(page, `${heading} === "All comments" && ${rows} === 3`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "all-comments")
          yield* step("see one account's", () =>
            page.getByRole("searchbox", { name: "Only of accounts like" }).fill("cleo")
          )
          yield* waitFor(page, `${rows} === 2 && location.search === "?account=cleo"`)
          yield* step("see what waits", () => page.getByRole("tab", { name: "Waiting for approval" }).click())
          yield* waitFor(page, `${rows} === 1`)
          yield* step("approve it", async () => {
            await page.getByLabel("Select all").check()
            await page.getByRole("button", { name: "Approve" }).click()
          })
          yield* waitFor(page, `${said("1 comment is approved.")} && ${rows} === 0`)
          yield* step("see those of others", async () => {
            await page.getByRole("tab", { name: "All" }).click()
            await page.getByLabel("From", { exact: true }).selectOption("remote")
          })
          yield* waitFor(page, says("No comment fits the search and the filters."))
          yield* step("see those of here", () => page.getByLabel("From", { exact: true }).selectOption("local"))
          yield* waitFor(page, `${rows} === 2`)
          const menu = (item: string) =>
            step(item, async () => {
              await page
                .getByRole("button", { name: /^Actions for/ })
                .first()
                .click()
              await page.getByRole("menuitem", { name: item }).click()
            })
          yield* menu("Mute this account for everybody")
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.toast p')].some((it) => it.textContent.endsWith('is muted.'))"
          )
          assert.deepStrictEqual(
            yield* sql`select account_id = (select o.id from account o where o.actor_id = instance_actor()) as instance from account_block`,
            [{ instance: true }]
          )
          yield* menu("Delete all comments of this account")
          yield* step("yes", () => page.locator("dialog").getByRole("button", { name: "Delete" }).click())
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.toast p')].some((it) => it.textContent.endsWith('are being deleted.'))"
          )
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
