import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { login } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { early, switchOn, wrongCode } from "../people/two-factor/Authenticator.ts"
import { Users } from "../../src/people/user/Users.ts"
import { accountNode } from "./support/AccountNode.ts"
import { accessible } from "./support/WorkingAreas.ts"

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

const at = (page: Page, path: string) =>
  waitFor(
    page,
    `location.pathname === ${JSON.stringify(path)} && document.readyState === 'complete' && document.querySelector('.top .account') !== null`
  )

const openMenu = (page: Page) => step("open the menu", () => page.locator(".top .account summary").click())

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "logging in",
  (it) => {
    it.effect("leads back to where one was, has a menu of one's own pages, and logs out", () =>
      Effect.gen(function* () {
        yield* addUser("ada")
        const { page } = yield* newPage(phone)
        yield* visit(page, `${yield* baseUrl}/videos/browse?sort=-likes`)
        yield* step("go to log in", () => page.getByRole("link", { name: "Log in" }).first().click())
        yield* waitFor(page, "document.querySelector('form button')?.disabled === false")
        yield* logIn(page, "ada", "a wrong password")
        yield* waitFor(page, `(${outcome}).includes('Wrong user name or password')`)
        yield* logIn(page, "ada", password)
        yield* at(page, "/videos/browse")
        assert.strictEqual(yield* step("look", () => page.evaluate("location.search")), "?sort=-likes")
        yield* openMenu(page)
        yield* waitFor(page, "document.querySelector('.account strong')?.textContent === 'ada'")
        assert.strictEqual(yield* sidewaysScroll(page), 0)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        const items = yield* step("read", () => page.locator(".account .menu-items > :is(a, button)").allTextContents())
        assert.deepStrictEqual(items, [
          "Upload",
          "My videos",
          "Subscriptions",
          "Playlists",
          "History",
          "Settings",
          "Log out"
        ])
        yield* step("close it", () => page.keyboard.press("Escape"))
        assert.isFalse(yield* step("look", () => page.getByRole("button", { name: "Log out" }).isVisible()))
        yield* openMenu(page)
        yield* step("log out", () => page.getByRole("button", { name: "Log out" }).click())
        yield* waitFor(page, "location.pathname === '/' && localStorage.length === 0")
        yield* visit(page, `${yield* baseUrl}/my-account/settings`)
        yield* waitFor(page, "location.pathname === '/login' && location.search.includes('security')")
      })
    )

    it.effect("shows moderators the way to the administration", () =>
      Effect.gen(function* () {
        yield* Users.use((users) => users.create({ username: "mod", email: "mod@example.com", password, role: 1 }))
        const { page } = yield* newPage()
        yield* openLogin(page)
        yield* logIn(page, "mod", password)
        yield* at(page, "/")
        yield* openMenu(page)
        yield* step("go there", () => page.getByRole("link", { name: "Administration" }).click())
        yield* waitFor(page, "location.pathname === '/admin' && document.querySelector('main h1') !== null")
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
        yield* at(page, "/")
      })
    )

    it.effect("renews a session that has run out, and gives up one that was ended", () =>
      Effect.gen(function* () {
        yield* addUser("cem")
        const { page } = yield* newPage()
        yield* openLogin(page)
        yield* logIn(page, "cem@example.com", password)
        yield* at(page, "/")
        // A renewal that the next page interrupts would lose the session.
        const spoil = (part: string) =>
          step(`spoil the ${part} token`, async () => {
            await page.waitForLoadState("networkidle")
            await page.evaluate(`(() => {
              const session = JSON.parse(localStorage.getItem("kinora.session"))
              session.${part} = "spoilt"
              localStorage.setItem("kinora.session", JSON.stringify(session))
            })()`)
          })
        yield* spoil("access")
        yield* visit(page, `${yield* baseUrl}/my/settings`)
        yield* waitFor(page, "document.querySelector('main form') !== null")
        yield* spoil("access")
        yield* spoil("refresh")
        yield* visit(page, `${yield* baseUrl}/my/settings`)
        yield* waitFor(page, "location.pathname === '/login' && localStorage.length === 0")
      })
    )
  }
)
