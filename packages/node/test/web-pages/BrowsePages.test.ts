import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { login, send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { ask, make, playlists, put } from "../social/playlist/PlaylistClient.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { accessible, logInAs } from "./support/WorkingAreas.ts"

const node = People.layer.pipe(Layer.provideMerge(accountNode()), Layer.provideMerge(Browser.layer))

const video = Effect.fn("video")(function* (
  name: string,
  change: { readonly category?: number; readonly duration?: number } = {}
) {
  const sql = yield* SqlClient
  const made = yield* addVideo({ owner: "owner" })
  const { category = null, duration = 60 } = change
  yield* sql`update video set name = ${name}, category = ${category}, duration = ${duration} where id = ${made.id}`
  yield* sql`delete from thumbnail where video_id = ${made.id}`
  return made
})

const titles = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/class="(?:card|row)-title"><a [^>]*>([^<]*)</g)].map((it) => it[1]!)

layer(node, { excludeTestServices: true, timeout: 120_000 })("browsing", (it) => {
  it.effect("lists are narrowed down by what stands in the address, and searches find channels and playlists", () =>
    Effect.gen(function* () {
      const song = yield* video("A song", { category: 1 })
      yield* video("A long film", { category: 2, duration: 3_000 })
      const sql = yield* SqlClient
      const [channel] = yield* sql<{ id: number }>`
        select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = 'owner_channel'`
      const list = yield* make({ displayName: "Songs & films", privacy: 1, videoChannelId: channel!.id })
      yield* put(list.id, song.id)

      const shown = (path: string) => Effect.map(send(path), (it) => titles(it.text))
      assert.deepStrictEqual(yield* shown("/videos/browse?categoryOneOf=1"), ["A song"])
      assert.deepStrictEqual(yield* shown("/videos/browse?length=long"), ["A long film"])
      assert.lengthOf(yield* shown("/videos/browse?since=day&scope=local&sort=-views"), 2)
      const none = yield* send("/videos/browse?languageOneOf=fr")
      assert.include(none.text, "No video is like that")
      assert.include(none.text, `name="robots" content="noindex"`)
      assert.include((yield* send("/videos/browse?categoryOneOf=1")).text, ">Music</h1>")
      assert.strictEqual((yield* send("/videos/browse?sort=%00&categoryOneOf=x")).status, 200)
      assert.deepStrictEqual(yield* shown("/search?search=song&categoryOneOf=2"), [])
      assert.deepStrictEqual(yield* shown("/search?search=song"), ["A song"])
      assert.deepStrictEqual(yield* shown("/search?search=owner&type=channels"), ["Main owner channel"])
      assert.deepStrictEqual(yield* shown("/search?search=songs&type=playlists"), ["Songs &amp; films"])

      assert.deepStrictEqual(yield* shown("/a/owner/video-channels"), ["Main owner channel"])
      assert.deepStrictEqual(yield* shown("/a/owner/video-playlists"), ["Songs &amp; films"])
      assert.deepStrictEqual(yield* shown("/c/owner_channel/video-playlists"), ["Songs &amp; films"])
      assert.include((yield* send("/a/other/video-playlists")).text, "No public playlists here yet")
      const about = yield* send("/c/owner_channel/about")
      assert.include(about.text, `href="/a/owner"`)
      assert.include(about.text, "/feeds/videos.xml?videoChannelId=")
    })
  )

  it.effect("a card goes to watch later at one click, filters apply as they are chosen, more comes by itself", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 26; n++) yield* video(`Number ${n}`, { category: 3 })
      const base = yield* baseUrl
      const { page, problems } = yield* newPage()
      yield* Effect.promise(() => page.addInitScript("window.isOldPage = true"))
      const tokens = yield* login("other", "password1")
      yield* step("log in", () => logInAs(page.context(), tokens))
      yield* visit(page, `${base}/videos/browse?categoryOneOf=3&sort=-publishedAt`)
      yield* waitFor(page, `document.querySelector(".card-later") !== null`)
      assert.deepStrictEqual(yield* step("look", () => accessible(page)), [])
      yield* step("scroll", () => page.evaluate("scrollTo(0, document.body.scrollHeight)"))
      yield* waitFor(page, `document.querySelectorAll(".cards > li").length === 26`)
      yield* waitFor(page, `document.querySelectorAll(".card-later").length === 26`)

      yield* step("save", () => page.getByRole("button", { name: "Watch later: Number 7" }).click())
      yield* waitFor(page, `document.querySelectorAll(".card-later[aria-pressed=true]").length === 1`)
      const later = (yield* playlists("/accounts/other/video-playlists?playlistType=2", "other")).data[0]!
      const { json } = yield* ask("other", "GET", `/video-playlists/${later.id}/videos`)
      assert.strictEqual(json.data[0].video.name, "Number 7")

      yield* step("open one", () => page.getByRole("link", { name: "Number 0", exact: true }).click())
      yield* waitFor(page, `location.pathname.startsWith("/w/")`)
      yield* step("go back", () => page.goBack())
      yield* waitFor(page, `document.querySelectorAll(".cards > li").length === 26 && scrollY > 300`)

      yield* step("choose", () => page.getByLabel("Length").selectOption("long"))
      yield* waitFor(page, `location.search.includes("length=long") && !location.search.includes("languageOneOf")`)
      yield* waitFor(page, `document.querySelector(".none") !== null`)
      yield* step("take it away", () => page.getByRole("link", { name: /Over 20 minutes.*remove/ }).click())
      yield* waitFor(
        page,
        `!location.search.includes("length") && document.querySelectorAll(".cards > li").length >= 24`
      )
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("a filter that is chosen before the script is there is applied by its button", () =>
    Effect.gen(function* () {
      const base = yield* baseUrl
      const { page } = yield* newPage()
      yield* step("choose while scripts are on their way", async () => {
        let release = () => {}
        const released = new Promise<void>((done) => (release = done))
        await page.route("**/*.js", async (route) => {
          // The page is not shown before this one.
          if (!route.request().url().includes("/reveal")) await released
          await route.continue()
        })
        await page.goto(`${base}/videos/browse`, { waitUntil: "commit" })
        await page.locator("summary", { hasText: "Filters" }).click()
        await page.getByLabel("Length").selectOption("long")
        release()
        await page.waitForLoadState("networkidle")
        await page.getByRole("button", { name: "Apply" }).click()
      })
      yield* waitFor(page, `location.search.includes("length=long")`)
    })
  )

  it.effect("an account is reported and muted from its channel", () =>
    Effect.gen(function* () {
      const base = yield* baseUrl
      const { page } = yield* newPage()
      const tokens = yield* login("other", "password1")
      yield* step("log in", () => logInAs(page.context(), tokens))
      yield* visit(page, `${base}/c/owner_channel`)
      yield* step("report", async () => {
        await page.locator("main details.menu summary").click()
        await page.getByRole("button", { name: "Report this account" }).click()
        await page.getByLabel("Spam or misleading").check()
        await page.getByLabel("What the moderators should know").fill("Sells things")
      })
      assert.deepStrictEqual(yield* step("look", () => accessible(page)), [])
      yield* step("send", () => page.getByRole("button", { name: "Report", exact: true }).click())
      yield* waitFor(page, `document.querySelector("dialog")?.textContent.includes("Thank you")`)
      yield* step("close", () => page.keyboard.press("Escape"))
      const { json } = yield* ask("other", "GET", "/users/me/abuses")
      assert.strictEqual(json.data[0].reason, "Sells things")
      yield* step("mute", async () => {
        await page.locator("main details.menu summary").click()
        await page.getByRole("button", { name: "Mute this account" }).click()
        await page.getByRole("button", { name: "Mute", exact: true }).click()
      })
      yield* waitFor(page, `document.querySelector("dialog")?.textContent.includes("Muted")`)
      assert.strictEqual((yield* ask("other", "GET", "/users/me/blocklist/accounts")).json.total, 1)
    })
  )
})
