import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const rows = "(document.querySelector('table.t tbody')?.textContent ?? '')"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "pages of jobs and runners",
  (it) => {
    it.effect(
      "show jobs by state and type with their errors, and pause them",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`
          insert into job (type, payload, state, error, attempts, max_attempts, finished_at)
          values ('video-transcoding', '{"video":"a film"}', 'failed', 'ffmpeg ended with 1: no such filter', 3, 3, now()),
            ('videos-stats', '{}', 'completed', null, 1, 3, now())`
          const { page, problems } = yield* openAs("root", "/admin/jobs?state=failed")
          yield* waitFor(
            page,
            `${heading} === "Jobs" && ${rows}.includes("no such filter") && !${rows}.includes("Statistics")`
          )
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "jobs")
          yield* step("show details", () => page.getByRole("button", { name: /Details of Transcode/ }).click())
          yield* waitFor(
            page,
            "document.querySelector('dialog pre:last-of-type') && document.querySelector('dialog').textContent.includes('a film')"
          )
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* step("close, and show another type", async () => {
            await page.locator("dialog").getByRole("button", { name: "Close" }).click()
            await page.getByLabel("Work", { exact: true }).selectOption({ label: "Mail" })
          })
          yield* waitFor(page, says("No jobs here"))
          yield* step("pause", async () => {
            await page.getByRole("button", { name: "Pause" }).click()
            await page.locator("dialog").getByRole("button", { name: "Pause" }).click()
          })
          yield* waitFor(page, says("Jobs are paused."))
          yield* step("resume", () => page.getByRole("button", { name: "Resume" }).click())
          yield* waitFor(page, says("Jobs begin again."))
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "make tokens, and show the runners that register with them",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* openAs("root", "/admin/runners")
          yield* waitFor(page, `${heading} === "Runners" && ${says("No jobs for runners")}`)
          yield* step("make a token", async () => {
            await page.getByRole("tab", { name: "Registration tokens" }).click()
            await page.getByRole("button", { name: "New token" }).click()
          })
          yield* waitFor(page, says("A token is made."))
          yield* waitFor(page, "document.querySelector('.token code') !== null")
          const token = yield* step("read the token", () => page.locator(".token code").first().textContent())
          const registered = yield* send("/api/v1/runners/register", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              registrationToken: token,
              name: "cellar",
              description: "A fast one",
              version: "1.2"
            })
          })
          assert.strictEqual(registered.status, 200, registered.text)
          yield* step("look at the runners", () => page.getByRole("tab", { name: "Runners" }).click())
          yield* waitFor(page, `${says("cellar")} && location.search === "?tab=runners"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "runners")
          yield* step("delete the runner", async () => {
            await page.getByRole("button", { name: "Delete cellar" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, says("No runners yet"))
          yield* step("delete the token", async () => {
            await page.getByRole("tab", { name: "Registration tokens" }).click()
            await page
              .getByRole("button", { name: /Delete token/ })
              .first()
              .click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, says("The token is deleted."))
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
