import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { bearer, login, send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { early, switchOn, wrongCode } from "../people/two-factor/Authenticator.ts"
import { Users } from "../../src/people/user/Users.ts"
import { accountNode } from "./support/AccountNode.ts"

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const password = "password1"
const outcome = "document.querySelector('.outcome')?.textContent ?? ''"

const addUser = (username: string) =>
  Users.use((users) => users.create({ username, email: `${username}@example.com`, password, role: 2 }))

const openLogin = Effect.fnUntraced(function* (page: Page) {
  yield* visit(page, `${yield* baseUrl}/login`)
  yield* waitFor(page, "!document.querySelector('form button').disabled")
})

const logIn = (page: Page, username: string, word: string) =>
  step("log in", async () => {
    await page.getByLabel("User name or e-mail address").fill(username)
    await page.getByLabel("Password").fill(word)
    await page.keyboard.press("Enter")
  })

const atAccount = (page: Page) =>
  waitFor(page, "location.pathname === '/my-account' && document.querySelector('[data-loaded]')?.hidden === false")

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "logging in",
  (it) => {
    it.effect("shows the account, ends another session, changes the password, logs out", () =>
      Effect.gen(function* () {
        yield* addUser("ada")
        const elsewhere = yield* login("ada", password)
        const { page } = yield* newPage(phone)
        yield* openLogin(page)
        yield* logIn(page, "ada", "a wrong password")
        yield* waitFor(page, `(${outcome}).includes('Wrong user name or password')`)
        yield* logIn(page, "ada", password)
        yield* atAccount(page)
        assert.strictEqual(
          yield* step("read", () => page.locator("[data-fact=email]").textContent()),
          "ada@example.com"
        )
        assert.strictEqual(yield* sidewaysScroll(page), 0)
        assert.isTrue(yield* step("look", () => page.getByRole("link", { name: "My account" }).last().isVisible()))
        yield* waitFor(page, "document.querySelectorAll('[data-sessions] li').length === 2")
        yield* step("end the other session", () => page.getByRole("button", { name: "End this session" }).click())
        yield* waitFor(page, "document.querySelectorAll('[data-sessions] li').length === 1")
        assert.strictEqual((yield* send("/api/v1/users/me", bearer(elsewhere.access_token))).status, 401)

        yield* waitFor(page, "!document.querySelector('form button').disabled")
        const change = (current: string) =>
          step("change the password", async () => {
            await page.getByLabel("Current password").fill(current)
            await page.getByLabel("New password").fill("another password")
            await page.getByLabel("The same again").fill("another password")
            await page.keyboard.press("Enter")
          })
        yield* change("not the password")
        yield* waitFor(page, "document.querySelector('.outcome.failed')?.textContent.includes('current password')")
        yield* change(password)
        yield* waitFor(page, "document.querySelector('.outcome.done') !== null && localStorage.length === 0")
        yield* step("go on", () => page.getByRole("link", { name: "Log in" }).last().click())
        yield* waitFor(
          page,
          "document.querySelector('form button')?.disabled === false && location.pathname === '/login'"
        )
        yield* logIn(page, "ada", "another password")
        yield* atAccount(page)
        yield* step("log out", () => page.getByRole("button", { name: "Log out" }).click())
        yield* waitFor(page, "location.pathname === '/' && localStorage.length === 0")
        yield* visit(page, `${yield* baseUrl}/my-account`)
        yield* waitFor(page, "location.pathname === '/login'")
      })
    )

    it.effect("asks who has two factors for a code of a real authenticator", () =>
      Effect.gen(function* () {
        const { userId } = yield* addUser("bea")
        const { access_token } = yield* login("bea", password)
        const authenticator = yield* switchOn(userId, access_token)
        const { page } = yield* newPage(phone)
        yield* openLogin(page)
        assert.isFalse(yield* step("look", () => page.getByLabel("One-time code").isVisible()))
        yield* logIn(page, "bea", password)
        yield* waitFor(page, "document.activeElement?.name === 'code'")
        const type = (code: string) =>
          step("type a code", async () => {
            await page.getByLabel("One-time code").fill(code)
            await page.keyboard.press("Enter")
          })
        yield* type(yield* wrongCode(authenticator))
        yield* waitFor(page, `(${outcome}).includes('code is wrong')`)
        yield* early()
        yield* type(yield* authenticator.code())
        yield* atAccount(page)
      })
    )

    it.effect("renews a session that has run out, and gives up one that was ended", () =>
      Effect.gen(function* () {
        yield* addUser("cem")
        const { page } = yield* newPage()
        yield* openLogin(page)
        yield* logIn(page, "cem@example.com", password)
        yield* atAccount(page)
        const spoil = (part: string) =>
          step(`spoil the ${part} token`, () =>
            page.evaluate(`(() => {
              const session = JSON.parse(localStorage.getItem("kinora.session"))
              session.${part} = "spoilt"
              localStorage.setItem("kinora.session", JSON.stringify(session))
            })()`)
          )
        yield* spoil("access")
        yield* visit(page, `${yield* baseUrl}/my-account`)
        yield* atAccount(page)
        yield* spoil("access")
        yield* spoil("refresh")
        yield* visit(page, `${yield* baseUrl}/my-account`)
        yield* waitFor(page, "location.pathname === '/login' && localStorage.length === 0")
      })
    )
  }
)
