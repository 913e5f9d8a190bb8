import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TOTP } from "otpauth"
import { login } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, password, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "the page of the user's settings",
  (it) => {
    it.effect(
      "changes the profile, preferences and notifications",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("eve")
          const { page, problems } = yield* openAs("eve", "/my/settings")
          yield* waitFor(page, `${heading} === "Settings" && document.querySelector("main form")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("take another name", async () => {
            await page.getByLabel("Display name").fill("Eve of the hills")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, said("Your settings are saved."))
          assert.deepStrictEqual(
            yield* sql`
              select a.display_name from account a join app_user u on u.id = a.user_id where u.username = 'eve'`,
            [{ display_name: "Eve of the hills" }]
          )
          yield* step("go to the notifications", () => page.getByRole("tab", { name: "Notifications" }).click())
          yield* waitFor(page, "document.querySelector('.matrix input')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const box = page.getByLabel("New comment on a video of yours: By e-mail")
          const before = yield* step("look", () => box.isChecked())
          yield* step("change one", () => box.click())
          yield* step("load again", () => page.reload())
          yield* waitFor(page, "document.querySelector('.matrix input')")
          assert.strictEqual(yield* step("look", () => box.isChecked()), !before)
          yield* step("go to the preferences", () => page.getByRole("tab", { name: "Preferences" }).click())
          yield* waitFor(page, "document.querySelector('main select')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("speak French", () => page.getByLabel("Language of the pages").selectOption("fr"))
          yield* waitFor(page, `${heading} === "Réglages" && document.documentElement.lang === "fr"`)
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )

    it.effect(
      "sets up a second factor, ends other sessions, and deletes the account",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("fay")
          yield* login("fay", password)
          const { page, problems } = yield* openAs("fay", "/my/settings?part=security")
          const rows = "document.querySelectorAll('.rows > li').length"
          yield* waitFor(page, `${rows} === 2`)
          yield* step("end the other", () => page.getByRole("button", { name: /^End the session/ }).click())
          yield* waitFor(page, `${rows} === 1`)
          const change = (current: string) =>
            step("change the password", async () => {
              const asked = page.getByRole("form", { name: "Password" })
              await asked.getByLabel("Current password").fill(current)
              await asked.getByLabel("New password").fill("another password")
              await asked.getByRole("button").click()
            })
          yield* change("not the password")
          yield* waitFor(page, "document.querySelector('.toast')?.textContent.includes('current password')")
          yield* change(password)
          yield* waitFor(page, said("The password is changed, and every other session is ended."))
          yield* waitFor(page, `${rows} === 1 && document.querySelector("dialog[open]") === null`)
          const form = page.getByRole("form", { name: "Second factor" })
          yield* step("ask for a second factor", async () => {
            await form.getByLabel("Current password").fill("another password")
            await form.getByRole("button").click()
          })
          yield* waitFor(page, "document.querySelector('svg.code')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const secret = yield* step("read the secret", () => form.locator("code").innerText())
          yield* step("enter a code", async () => {
            await form.getByLabel("Code of the app").fill(new TOTP({ secret }).generate())
            await form.getByRole("button").click()
          })
          yield* waitFor(page, said("The second factor is on."))
          // It asks who is logged in before it takes another press.
          yield* waitFor(page, `document.querySelector('[aria-labelledby="factor"] [aria-busy="true"]') === null`)
          yield* waitFor(page, "document.querySelectorAll('.codes li').length === 10")
          yield* waitFor(page, "document.body.textContent.includes('10 codes are left.')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("turn it off", async () => {
            await form.getByLabel("Current password").fill("another password")
            await form.locator("button[type=submit]").click()
          })
          yield* waitFor(page, said("The second factor is off."))
          yield* step("begin to delete the account", async () => {
            await page.getByRole("tab", { name: "Delete the account" }).click()
            await page.getByRole("button", { name: "Delete the account" }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog .btn-danger')?.disabled")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          // The wrong password of the user.
          assert.deepStrictEqual(
            problems.map((it) => it.includes("401")),
            [true]
          )
          yield* step("type its name", async () => {
            await page.locator("dialog").getByRole("textbox").fill("fay")
            await page.locator("dialog").getByRole("button", { name: "Delete the account" }).click()
          })
          yield* waitFor(page, "location.pathname === '/'")
          assert.deepStrictEqual(yield* sql`select 1 from app_user where username = 'fay'`, [])
        }),
      minutes(4)
    )
  }
)
