import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Users } from "../../src/people/user/Users.ts"
import { login } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { logInAs } from "./support/WorkingAreas.ts"

const password = "password1"
const limit = 120_000

const heading = "document.querySelector('main h1')?.textContent"

/** Notes each fade within the document, and how the page is when the browser takes its picture of it. */
const noteFades = `{
  window.fades = []
  const begin = document.startViewTransition.bind(document)
  document.startViewTransition = (update) => {
    const fade = { outcome: "fading" }
    window.fades.push(fade)
    const transition = begin(async () => {
      await update()
      const title = document.querySelector("main h1").textContent
      const focused = document.activeElement === document.querySelector("main h1")
      Object.assign(fade, { title, focused, top: scrollY, path: location.pathname })
    })
    transition.ready.then(() => (fade.outcome = "faded"), () => (fade.outcome = "broken off"))
    return transition
  }
}`

/** Whether cards grow: what listens to leaving the page looks at the fade. */
const growing = `(() => {
  let asked = false
  const leaving = Object.defineProperty(new Event("pageswap"), "viewTransition", { get: () => ((asked = true), null) })
  dispatchEvent(leaving)
  return asked
})()`

/** Notes whether the document came by a fade, and which names the browser fades by themselves. */
const noteArrival = `addEventListener("pagereveal", ({ viewTransition }) => {
  window.arrival = viewTransition === null ? "at once" : "fading"
  viewTransition?.ready.then(() => {
    window.arrival = document.getAnimations().map((it) => it.effect.pseudoElement).filter((it) => it?.includes("group")).join()
  })
})`

const addUser = (username: string) =>
  Users.use((users) => users.create({ username, email: `${username}@example.com`, password, role: 2 }))

const openAs = Effect.fnUntraced(function* (username: string, path: string, options = {}) {
  const watched = yield* newPage(options)
  const tokens = yield* login(username, password)
  yield* step("log in", () => logInAs(watched.page.context(), tokens))
  yield* step("note fades", () => watched.page.addInitScript(noteFades))
  yield* visit(watched.page, (yield* baseUrl) + path)
  return watched
})

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "fades from page to page",
  (it) => {
    it.effect(
      "are there in the working areas, and end with the focus and the place that the page has",
      () =>
        Effect.gen(function* () {
          yield* addUser("ida")
          yield* Effect.forEach(Array.from({ length: 12 }), () => addVideo({ owner: "ida" }))
          const { page, problems } = yield* openAs("ida", "/my/videos")
          yield* step("on a low screen", () => page.setViewportSize({ width: 1280, height: 300 }))
          yield* waitFor(page, `${heading} === "My videos" && document.querySelectorAll(".v-name").length === 12`)
          yield* step("sort", () => page.getByRole("button", { name: "Sort by Video" }).click())
          yield* waitFor(
            page,
            "location.search.includes('sort=') && document.querySelector('table[aria-busy=true]') === null"
          )
          assert.deepStrictEqual(yield* step("count fades", () => page.evaluate("window.fades")), [])
          yield* step("scroll", () => page.evaluate("scrollTo(0, 200)"))
          yield* step("go to another page", () =>
            page.evaluate(`document.querySelector('.side a[href="/my/upload"]').click()`)
          )
          yield* waitFor(page, "window.fades[0]?.outcome === 'faded'")
          yield* step("go back", () => page.goBack())
          yield* waitFor(page, "window.fades[1]?.outcome === 'faded'")
          assert.deepStrictEqual(yield* step("read", () => page.evaluate("window.fades")), [
            { outcome: "faded", title: "Upload", focused: true, top: 0, path: "/my/upload" },
            { outcome: "faded", title: "My videos", focused: true, top: 200, path: "/my/videos" }
          ])
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )

    it.effect(
      "are broken off by the next page",
      () =>
        Effect.gen(function* () {
          yield* addUser("jon")
          const { page, problems } = yield* openAs("jon", "/my/videos")
          yield* waitFor(page, `${heading} === "My videos"`)
          for (const name of ["Upload", "History"]) {
            yield* step("load a page", () => page.locator(".side").getByRole("link", { name }).click())
            yield* waitFor(page, `${heading} === "${name}" && window.fades.at(-1).outcome === "faded"`)
          }
          // The second page is wanted while the browser waits for the first one, and the first one comes when the second fades.
          yield* step("go to two pages", () =>
            page.evaluate(`{
              const go = (path) => document.querySelector('.side a[href="' + path + '"]').click()
              const begin = document.startViewTransition
              document.startViewTransition = (update) =>
                begin(async () => {
                  const next = new Promise((begun) => {
                    document.startViewTransition = (it) => (begun(), begin(it))
                  })
                  go("/my/upload")
                  await next
                  await update()
                })
              go("/my/videos")
            }`)
          )
          yield* waitFor(page, `${heading} === "Upload" && window.fades.at(-1).outcome === "faded"`)
          const outcomes = yield* step("read", () => page.evaluate("window.fades.map((it) => it.outcome)"))
          assert.deepStrictEqual(outcomes, ["faded", "faded", "broken off", "faded"])
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )

    it.effect(
      "are not for those who want less motion",
      () =>
        Effect.gen(function* () {
          yield* addUser("kim")
          const { page, problems } = yield* openAs("kim", "/my/videos", { reducedMotion: "reduce" })
          yield* waitFor(page, `${heading} === "My videos"`)
          yield* step("go to another page", () => page.getByRole("link", { name: "Upload" }).first().click())
          yield* waitFor(
            page,
            `${heading} === "Upload" && document.activeElement === document.querySelector("main h1")`
          )
          assert.deepStrictEqual(yield* step("count fades", () => page.evaluate("window.fades")), [])
          assert.deepStrictEqual(problems, [])
        }),
      limit
    )

    it.effect(
      "turn the picture of a card into the player",
      () =>
        Effect.gen(function* () {
          yield* addUser("leo")
          yield* addVideo({ owner: "leo" })
          const { page } = yield* newPage()
          yield* step("note the arrival", () => page.addInitScript(noteArrival))
          // Scripts that are there already come before the styles: the page was shown without a fade then.
          for (const _ of [1, 2, 3]) {
            yield* visit(page, yield* baseUrl)
            yield* waitFor(page, growing)
            yield* step("open the video", () => page.locator("a.thumb").first().click())
            yield* waitFor(page, "location.pathname.startsWith('/w/') && window.arrival?.includes('player')")
          }
        }),
      limit
    )
  }
)
