import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../src/people/user/Users.ts"
import { login, send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { accessible, logInAs, scriptBytes } from "./support/WorkingAreas.ts"

const password = "password1"

/** axe looks at whole pages, several times in a test. */
const limit = 180_000

const addUser = (username: string, role: 0 | 1 | 2 = 2) =>
  Users.use((users) => users.create({ username, email: `${username}@example.com`, password, role }))

/** A page of the working areas as a user sees it. */
const openAs = Effect.fnUntraced(function* (username: string, path: string, options = {}) {
  const watched = yield* newPage(options)
  const tokens = yield* login(username, password)
  yield* step("log in", () => logInAs(watched.page.context(), tokens))
  yield* visit(watched.page, (yield* baseUrl) + path)
  return watched
})

const heading = "document.querySelector('main h1')?.textContent"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "working areas",
  (it) => {
    it.effect(
      "are one document, strict and not indexed",
      () =>
        Effect.gen(function* () {
          const texts: Array<string> = []
          for (const path of ["/my", "/my/videos", "/studio/x", "/admin/users/1"]) {
            const { headers, status, text } = yield* send(path)
            assert.strictEqual(status, 200, path)
            assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self'/)
            assert.include(headers.get("permissions-policy") ?? "", "camera=(self), microphone=(self)")
            assert.include(text, "noindex")
            assert.include(text, "needs JavaScript")
            texts.push(text)
          }
          assert.strictEqual(new Set(texts).size, 1)
        }),
      limit
    )

    it.effect(
      "send a visitor to log in, and back to where they were",
      () =>
        Effect.gen(function* () {
          yield* addUser("ada")
          const { page } = yield* newPage()
          yield* visit(page, `${yield* baseUrl}/my/videos?search=cats`)
          yield* waitFor(
            page,
            "location.pathname === '/login' && !document.querySelector('form button[type=submit]').disabled"
          )
          yield* step("log in", async () => {
            await page.getByLabel("User name").fill("ada")
            await page.getByLabel("Password").fill(password)
            await page.keyboard.press("Enter")
          })
          yield* waitFor(
            page,
            `location.pathname + location.search === "/my/videos?search=cats" && ${heading} === "My videos"`
          )
        }),
      limit
    )

    it.effect(
      "show the way to each page at each width, and move the focus there",
      () =>
        Effect.gen(function* () {
          yield* addUser("bea")
          const { page, problems } = yield* openAs("bea", "/my/videos")
          yield* waitFor(page, `${heading} === "My videos" && document.title.startsWith("My videos - ")`)
          yield* step("go to the upload", () => page.getByRole("link", { name: "Upload" }).first().click())
          yield* waitFor(
            page,
            `${heading} === "Upload" && document.activeElement === document.querySelector("main h1")`
          )
          assert.include(yield* step("read the title", () => page.title()), "Upload - ")
          yield* step("on a phone", () => page.setViewportSize({ width: 320, height: 640 }))
          yield* step("open the menu by keys", async () => {
            await page.locator(".side-menu summary").press("Enter")
            await page.locator(".side-menu").getByRole("link", { name: "My videos" }).press("Enter")
          })
          yield* waitFor(page, `${heading} === "My videos" && !document.querySelector(".side-menu").open`)
          yield* step("go back", () => page.goBack())
          yield* waitFor(page, `${heading} === "Upload"`)
          assert.isFalse(
            yield* step("look for what is for others", () => page.getByRole("link", { name: "Federation" }).isVisible())
          )
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )

    it.effect(
      "say in words that there is no such page",
      () =>
        Effect.gen(function* () {
          yield* addUser("cem", 0)
          const { page } = yield* openAs("cem", "/my/nothing")
          yield* waitFor(page, "document.querySelector('.empty h2')?.textContent.includes('no such page')")
          assert.isTrue(
            yield* step("ask", () => page.locator(".side").getByRole("link", { name: "Federation" }).isVisible())
          )
          yield* step("take the way out", () => page.getByRole("link", { name: "To the home page" }).click())
          yield* waitFor(page, "location.pathname === '/'")
        }),
      limit
    )

    it.effect(
      "list one's own videos: found, sorted, changed and deleted together",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("dee")
          const videos = yield* Effect.forEach([1, 2, 3], () => addVideo({ owner: "dee" }))
          yield* Effect.forEach(videos, ({ id }, i) => sql`update video set name = ${`Film ${i + 1}`} where id = ${id}`)
          const { page, problems } = yield* openAs("dee", "/my/videos?sort=name")
          const names = "[...document.querySelectorAll('.v-facts a')].map((it) => it.textContent).join()"
          yield* waitFor(page, `${names} === "Film 1,Film 2,Film 3"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("sort", () => page.getByRole("button", { name: "Sort by Video" }).click())
          yield* waitFor(page, `${names} === "Film 3,Film 2,Film 1" && location.search.includes("sort=-name")`)
          yield* step("search", () => page.getByRole("searchbox", { name: "Search in my videos" }).fill("Film 2"))
          yield* waitFor(page, `${names} === "Film 2"`)
          yield* step("make it private", async () => {
            await page.getByLabel("Select Film 2").check()
            await page.getByRole("button", { name: "Change who sees them" }).click()
            await page.getByRole("menuitem", { name: "Private" }).click()
          })
          yield* waitFor(page, "document.querySelector('.v-state')?.textContent === 'Private'")
          yield* step("clear the search", () => page.getByRole("button", { name: "Clear the search" }).click())
          yield* waitFor(page, `${names} === "Film 3,Film 2,Film 1"`)
          yield* step("select all and delete", async () => {
            await page.getByLabel("Select all").check()
            await page.getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, "document.querySelector('dialog')?.open")
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* step("say yes", () =>
            page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          )
          yield* waitFor(page, "document.querySelector('.empty h2')?.textContent === 'No videos yet'")
          assert.deepStrictEqual(yield* sql`select 1 from video where id in ${sql.in(videos.map(({ id }) => id))}`, [])
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )

    it.effect(
      "begin an ended session again over the page, and keep what was typed",
      () =>
        Effect.gen(function* () {
          yield* addUser("eve")
          yield* addVideo({ owner: "eve" })
          const { page } = yield* openAs("eve", "/my/videos")
          yield* waitFor(page, `${heading} === "My videos"`)
          // At once: the bell may ask for something between, and the dialog would take what is typed.
          yield* step("lose the session and search", () =>
            page.evaluate(`{
              localStorage.setItem("kinora.session", JSON.stringify({ access: "gone", refresh: "gone" }))
              const box = document.querySelector(".searchbox input")
              box.value = "Video"
              box.dispatchEvent(new Event("input", { bubbles: true }))
            }`)
          )
          yield* waitFor(page, "document.querySelector('dialog h2')?.textContent === 'Log in again'")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("log in", async () => {
            await page.getByLabel("User name").fill("eve")
            await page.getByLabel("Password").fill(password)
            await page.keyboard.press("Enter")
          })
          yield* waitFor(page, "document.querySelector('.v-facts a')?.textContent === 'Video of eve'")
          const typed = yield* step("read the search", () =>
            page.getByRole("searchbox", { name: "Search in my videos" }).inputValue()
          )
          assert.strictEqual(typed, "Video")
        }),
      limit
    )

    it.effect(
      "speak French to who asks for it",
      () =>
        Effect.gen(function* () {
          yield* addUser("fay")
          const { page } = yield* openAs("fay", "/my/videos", { locale: "fr-FR" })
          yield* waitFor(page, `${heading} === "Mes vidéos" && document.documentElement.lang === "fr"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        }),
      limit
    )

    it.effect(
      "weigh little",
      () =>
        Effect.gen(function* () {
          yield* addUser("gus")
          const { page } = yield* openAs("gus", "/my/videos")
          yield* waitFor(page, `${heading} === "My videos"`)
          const first = yield* step("weigh", () => scriptBytes(page))
          assert.isBelow(first, 90 * 1024)
          yield* step("open the next page", () => page.getByRole("link", { name: "Upload" }).first().click())
          yield* waitFor(page, `${heading} === "Upload"`)
          assert.isBelow((yield* step("weigh", () => scriptBytes(page))) - first, 30 * 1024)
        }),
      limit
    )

    it.effect(
      "show every component to developers",
      () =>
        Effect.gen(function* () {
          const { page, problems } = yield* newPage()
          yield* visit(page, `${yield* baseUrl}/dev/components`)
          yield* waitFor(page, "document.querySelector('.u-wrap canvas')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("show 10,000 rows", () => page.getByRole("button", { name: "All 10,000" }).click())
          yield* waitFor(page, "document.querySelector('table.t').getBoundingClientRect().height > 100000")
          assert.isBelow(yield* step("count rows", () => page.locator("[data-row]").count()), 200)
          yield* step("scroll far", () => page.evaluate("scrollTo(0, document.body.scrollHeight / 2)"))
          yield* waitFor(
            page,
            "[...document.querySelectorAll('[data-row]')].some((it) => { const { top } = it.getBoundingClientRect(); return top > 100 && top < 500 })"
          )
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )
  }
)
