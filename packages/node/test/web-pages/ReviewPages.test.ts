import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { login, send } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, minutes, openAs, password, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

/** Says something below a video. */
const comment = Effect.fnUntraced(function* (username: string, uuid: string, text: string) {
  const { access_token } = yield* login(username, password)
  const answer = yield* send(`/api/v1/videos/${uuid}/comment-threads`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({ text })
  })
  assert.strictEqual(answer.status, 200)
})

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "what a user has seen, and what others say",
  (it) => {
    it.effect(
      "approves, deletes and mutes in the list of comments",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("gus")
          yield* addUser("hal")
          const { id, uuid } = yield* addVideo({ owner: "gus" })
          yield* comment("hal", uuid, "Very fine")
          yield* sql`update video set comments_policy = 3 where id = ${id}`
          yield* comment("hal", uuid, "Is this read?")
          const { page, problems } = yield* openAs("gus", "/my/comments")
          const rows = "document.querySelectorAll('[data-row]').length"
          yield* waitFor(page, `${rows} === 2`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("see what waits", () => page.getByRole("tab", { name: "Waiting for approval" }).click())
          yield* waitFor(page, `${rows} === 1`)
          yield* step("approve it", async () => {
            await page.getByLabel("Select all").check()
            await page.getByRole("button", { name: "Approve" }).click()
          })
          yield* waitFor(page, `${said("1 comment is approved.")} && ${rows} === 0`)
          yield* step("see all", () => page.getByRole("tab", { name: "All" }).click())
          yield* waitFor(page, `${rows} === 2`)
          yield* step("delete all of one", async () => {
            await page
              .getByRole("button", { name: /^Actions for/ })
              .first()
              .click()
            await page.getByRole("menuitem", { name: "Mute this account" }).click()
          })
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.toast p')].some((it) => it.textContent.endsWith('is muted.'))"
          )
          yield* step("see whom one mutes", () => page.getByRole("link", { name: "Muted" }).first().click())
          yield* waitFor(page, "document.querySelector('.rows strong')?.textContent.startsWith('hal@')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("mute no longer", () => page.getByRole("button", { name: /^Mute hal@.* no longer/ }).click())
          yield* waitFor(page, "document.body.textContent.includes('You mute no account.')")
          yield* step("mute a server", async () => {
            await page.getByRole("tab", { name: "Servers" }).click()
            await page.getByLabel("Server").last().fill("loud.example")
            await page.getByRole("button", { name: "Mute", exact: true }).click()
          })
          yield* waitFor(page, "document.querySelector('.rows strong')?.textContent === 'loud.example'")
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )

    it.effect(
      "forgets what was watched",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ida")
          const videos = yield* Effect.forEach([1, 2], () => addVideo({ owner: "ida" }))
          yield* Effect.forEach(
            videos,
            ({ id }) => sql`
              insert into user_video_history (user_id, video_id, current_time_seconds)
              select id, ${id}, 3 from app_user where username = 'ida'`
          )
          const { page, problems } = yield* openAs("ida", "/my/history")
          const rows = "document.querySelectorAll('.rows > li').length"
          yield* waitFor(page, `${rows} === 2`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("forget one", () =>
            page
              .getByRole("button", { name: /^Remove/ })
              .first()
              .click()
          )
          yield* waitFor(page, `${rows} === 1`)
          yield* step("pause", () => page.getByLabel("Remember what I watch").click())
          yield* waitFor(page, said("The history is paused."))
          yield* step("clear all", async () => {
            await page.getByRole("button", { name: "Clear the history" }).click()
            await page.locator("dialog").getByRole("button", { name: "Clear the history" }).click()
          })
          yield* waitFor(page, "document.querySelector('.empty h2')?.textContent === 'Nothing here yet'")
          assert.deepStrictEqual(yield* sql`select 1 from user_video_history`, [])
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )

    it.effect(
      "shows the figures of a video",
      () =>
        Effect.gen(function* () {
          yield* addUser("joy")
          const { uuid } = yield* addVideo({ owner: "joy" })
          const { page, problems } = yield* openAs("joy", `/my/statistics/${uuid}`)
          yield* waitFor(page, "document.querySelectorAll('.u-wrap canvas').length === 2")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const [saved] = yield* step("export", () =>
            Promise.all([
              page.waitForEvent("download"),
              page.getByRole("button", { name: "Export as CSV: Viewers over time" }).click()
            ])
          )
          assert.match(saved.suggestedFilename(), /-viewers\.csv$/)
          yield* step("see a year", () => page.getByLabel("Time", { exact: true }).selectOption("365"))
          yield* waitFor(page, "location.search === '?days=365'")
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )
  }
)
