import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../instance/about/Client.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const names = "[...document.querySelectorAll('.person-names strong')].map((it) => it.textContent).join()"

const node = accountNode({
  signup: { enabled: true, requires_approval: true, limit: -1 },
  security: { confirm_dangerous_acts: true }
})

layer(node.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "pages of users and registrations",
  (it) => {
    it.effect(
      "find, sort, change, ban, make and delete users",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ann")
          yield* addUser("bob")
          yield* sql`update app_user set video_quota = 1000000000 where username = 'ann'`
          const { page, problems } = yield* openAs("root", "/admin/users?sort=username")
          yield* waitFor(page, `${heading} === "Users" && ${names}.includes("ann,bob")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "users")
          yield* step("sort", () => page.getByRole("button", { name: "Sort by User" }).click())
          yield* waitFor(page, `${names}.includes("bob,ann") && location.search.includes("sort=-username")`)
          yield* step("search", () => page.getByRole("searchbox", { name: "Search in the users" }).fill("bob"))
          yield* waitFor(page, `${names} === "bob"`)
          yield* step("ban", async () => {
            await page.getByLabel("Select bob").check()
            await page.getByRole("button", { name: "Ban", exact: true }).click()
            await page.getByLabel("Reason").fill("Spam")
            await page.locator("dialog").getByRole("button", { name: "Ban", exact: true }).click()
          })
          yield* waitFor(page, says("Banned"))
          assert.deepStrictEqual(yield* sql`select blocked, blocked_reason from app_user where username = 'bob'`, [
            { blocked: true, blocked_reason: "Spam" }
          ])
          yield* step("open the user", async () => {
            await page.getByRole("button", { name: "Actions for bob" }).click()
            await page.getByRole("menuitem", { name: "Edit" }).click()
          })
          yield* waitFor(page, `${heading} === "bob" && document.querySelector("form.card") !== null`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "user")
          yield* step("let in again", () => page.getByRole("button", { name: "Let in again" }).click())
          yield* waitFor(page, `!${says("Spam")}`)
          yield* step("write a wrong address", async () => {
            await page.getByLabel("E-mail", { exact: true }).fill("nobody")
            await page.evaluate("document.querySelector('form.card').noValidate = true")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, says("Must be a mail address"))
          yield* step("change role, quota and address", async () => {
            await page.getByLabel("E-mail", { exact: true }).fill("bob@new.example")
            await page.getByLabel("Role", { exact: true }).selectOption({ label: "Moderator" })
            await page.getByLabel("Storage", { exact: true }).selectOption({ label: "5 GB" })
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, says("bob is changed."))
          assert.deepStrictEqual(
            yield* sql`select role, email, video_quota::text from app_user where username = 'bob'`,
            [{ role: 1, email: "bob@new.example", video_quota: "5000000000" }]
          )
          yield* step("delete", async () => {
            await page.getByRole("button", { name: "Delete", exact: true }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, `${heading} === "Users" && ${says("1 user is deleted.")}`)
          assert.deepStrictEqual(yield* sql`select 1 from app_user where username = 'bob'`, [])
          yield* step("make a user", async () => {
            await page.getByRole("link", { name: "New user" }).click()
            await page.getByLabel("User name").fill("eve")
            await page.getByLabel("E-mail", { exact: true }).fill("eve@example.com")
            await page.getByLabel("Password").fill("password1")
          })
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("create", () => page.getByRole("button", { name: "Create" }).click())
          yield* waitFor(page, says("eve is created."))
          assert.strictEqual((yield* sql`select 1 from app_user where username = 'eve'`).length, 1)
          assert.isEmpty(problems.filter((it) => !it.includes("status of 400")))
        }),
      minutes
    )

    it.effect(
      "ask for the password where the server wants it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("fay")
          const { page } = yield* openAs("root", "/admin/users?search=fay")
          yield* waitFor(page, `${names} === "fay"`)
          yield* sql`update oauth_token set login_at = now() - interval '1 hour', confirmed_at = null`
          yield* step("delete", async () => {
            await page.getByRole("button", { name: "Actions for fay" }).click()
            await page.getByRole("menuitem", { name: "Delete" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog h2')?.textContent === 'Your password, please'")
          yield* step("give it", async () => {
            await page.getByRole("textbox", { name: "Password" }).fill("a password for tests")
            await page.keyboard.press("Enter")
          })
          yield* waitFor(page, says("1 user is deleted."))
        }),
      minutes
    )

    it.effect(
      "grant and refuse accounts with a word to the person",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          for (const username of ["gil", "hal"]) {
            const answer = yield* send("/api/v1/users/registrations/request", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({
                username,
                password: "password1",
                email: `${username}@example.com`,
                registrationReason: `I am ${username} and film birds.`
              })
            })
            assert.strictEqual(answer.status, 200, answer.text)
          }
          const { page, problems } = yield* openAs("root", "/admin/registrations")
          yield* waitFor(page, `${heading} === "Registrations" && ${says("I am gil")}`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "registrations")
          yield* step("grant", async () => {
            await page.getByRole("button", { name: "Actions for gil" }).click()
            await page.getByRole("menuitem", { name: "Grant" }).click()
            await page.locator("dialog").getByRole("button", { name: "Grant" }).click()
          })
          yield* waitFor(page, says("gil has an account."))
          yield* step("refuse", async () => {
            await page.getByRole("button", { name: "Actions for hal" }).click()
            await page.getByRole("menuitem", { name: "Refuse" }).click()
            await page.locator("dialog").getByRole("button", { name: "Refuse" }).click()
          })
          yield* waitFor(page, says("Please fill this in."))
          yield* step("say why", async () => {
            await page.getByLabel("A word to the person").fill("We are full.")
            await page.locator("dialog").getByRole("button", { name: "Refuse" }).click()
          })
          yield* waitFor(page, says("hal is refused."))
          assert.deepStrictEqual(yield* sql`select username from app_user where username in ('gil', 'hal')`, [
            { username: "gil" }
          ])
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
