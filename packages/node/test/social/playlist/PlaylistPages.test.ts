import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { login, send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { accountNode } from "../../web-pages/support/AccountNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor, waitForVideo } from "../../support/Browser.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, elements, make, playlist, playlists, put } from "./PlaylistClient.ts"

const node = People.layer.pipe(Layer.provideMerge(accountNode()), Layer.provideMerge(Browser.layer))

/** A video with a name of its own, and without pictures: those of the tests are none. */
const video = Effect.fn("video")(function* (name: string, privacy = 1) {
  const sql = yield* SqlClient
  const made = yield* addVideo({ owner: "owner", privacy })
  yield* sql`update video set name = ${name} where id = ${made.id}`
  yield* sql`delete from thumbnail where video_id = ${made.id}`
  return made
})

/** Has the browser logged in as the owner of the videos. */
const enter = Effect.fn("enter")(function* (page: Page) {
  const base = yield* baseUrl
  yield* visit(page, `${base}/about`)
  const { access_token: access, refresh_token: refresh } = yield* login("owner", "password1")
  yield* step("keep the session", () =>
    page.evaluate(`localStorage.setItem("kinora.session", ${JSON.stringify(JSON.stringify({ access, refresh }))})`)
  )
  return base
})

/** Names in the order of the playlist, as the API says. */
const order = (id: number) => Effect.map(elements(id), ({ data }) => data.map((it) => it.video?.name ?? "").join(""))

const shown = `Array.from(document.querySelectorAll(".order .order-name"), (it) => it.textContent).join("")`

/** The next answer to a change of order. */
const reordered = (page: Page, action: () => Promise<unknown>) =>
  step("change the order", async () => {
    const [answer] = await Promise.all([
      page.waitForResponse((it) => it.url().endsWith("/reorder") && it.request().method() === "POST"),
      action()
    ])
    return answer.status()
  })

layer(node, { excludeTestServices: true, timeout: 120_000 })("pages of playlists", (it) => {
  it.effect("make a playlist, and bring what is in it into order by dragging, keys and buttons", () =>
    Effect.gen(function* () {
      const { page, problems } = yield* newPage()
      const base = yield* enter(page)
      yield* visit(page, `${base}/my-library/video-playlists`)
      yield* waitFor(page, `document.querySelector(".shelf")?.textContent.includes("Watch later")`)
      yield* step("make one", async () => {
        await page.getByText("New playlist").click()
        await page.getByLabel("Name", { exact: true }).fill("Evening")
        await page.getByLabel("Who may see it").selectOption("2")
        await page.getByRole("button", { name: "Create" }).click()
      })
      yield* waitFor(page, `document.querySelectorAll(".shelf li").length === 2`)
      const mine = yield* playlists("/accounts/owner/video-playlists?playlistType=1", "owner")
      assert.deepInclude(mine.data[0], { displayName: "Evening", privacy: { id: 2, label: "Unlisted" } })
      const { id, shortUUID } = mine.data[0]!
      for (const name of ["A", "B", "C", "D"]) yield* put(id, (yield* video(name)).id)

      yield* visit(page, `${base}/my-library/video-playlists/${shortUUID}`)
      yield* waitFor(page, `${shown} === "ABCD"`)
      const handle = (index: number) => page.locator(".order .handle").nth(index)
      assert.strictEqual(
        yield* reordered(page, async () => {
          await handle(0).focus()
          await page.keyboard.press("ArrowDown")
        }),
        204
      )
      assert.strictEqual(yield* order(id), "BACD")
      yield* waitFor(page, `document.activeElement.dataset.title === "A" && ${shown} === "BACD"`)
      assert.strictEqual(yield* reordered(page, () => page.keyboard.press("End")), 204)
      assert.strictEqual(yield* order(id), "BCDA")

      const drag = async (from: number, to: number) => {
        const a = (await handle(from).boundingBox())!
        const b = (await handle(to).boundingBox())!
        await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
        await page.mouse.down()
        await page.mouse.move(b.x + b.width / 2, b.y + (to > from ? b.height : 0), { steps: 8 })
        await page.mouse.up()
      }
      assert.strictEqual(yield* reordered(page, () => drag(3, 0)), 204)
      assert.strictEqual(yield* order(id), "ABCD")
      assert.strictEqual(yield* reordered(page, () => drag(0, 2)), 204)
      assert.strictEqual(yield* order(id), "BCAD")
      yield* waitFor(page, `${shown} === "BCAD"`)
      const up = () => page.getByRole("button", { name: "Move D up" }).click()
      assert.strictEqual(yield* reordered(page, up), 204)
      assert.strictEqual(yield* order(id), "BCDA")

      yield* step("say where to begin and end, and take one out", async () => {
        const begin = page.getByLabel("Begin playing B at")
        await begin.fill("0:02")
        await Promise.all([page.waitForResponse((it) => it.request().method() === "PUT"), begin.blur()])
        const gone = page.waitForResponse((it) => it.request().method() === "DELETE")
        await page.getByRole("button", { name: "Remove D from the playlist" }).click()
        await gone
      })
      yield* waitFor(
        page,
        `${shown} === "BCA" && document.querySelector("[data-summary]").textContent.includes("3 videos")`
      )
      assert.strictEqual((yield* elements(id)).data[0]!.startTimestamp, 2)
      assert.strictEqual(yield* order(id), "BCA")
      yield* step("on a phone", () => page.setViewportSize({ width: 320, height: 640 }))
      assert.strictEqual(yield* sidewaysScroll(page), 0)

      yield* step("rename and delete it", async () => {
        await page.getByText("Change name").click()
        await page.getByLabel("Name", { exact: true }).fill("Morning <b>")
        await page.getByRole("button", { name: "Save" }).click()
      })
      yield* waitFor(page, `document.querySelector("h1").textContent === "Morning <b>"`)
      assert.strictEqual((yield* playlist(id)).displayName, "Morning <b>")
      yield* step("delete it", async () => {
        await page.getByText("Change name").click()
        await page.getByRole("button", { name: "Delete this playlist" }).click()
        await page.getByRole("button", { name: "Really delete" }).click()
      })
      yield* waitFor(page, `location.pathname === "/my-library/video-playlists"`)
      assert.strictEqual((yield* ask("owner", "GET", `/video-playlists/${id}`)).status, 404)
      // This node has no sockets.
      assert.deepStrictEqual(
        problems.filter((it) => !it.includes("socket.io")),
        []
      )
    })
  )

  it.effect("play a playlist beside its list, tell what it is, and go on to the next", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, shortUUID, uuid } = yield* make({
        displayName: "Played & told",
        privacy: 2,
        description: "About <it>"
      })
      const [first, gone, hidden, last] = yield* Effect.all([
        video("First"),
        video("Gone"),
        video("Hidden", 3),
        video("Last")
      ])
      for (const { id: videoId } of [first!, gone!, hidden!]) yield* put(id, videoId)
      yield* put(id, last!.id, { startTimestamp: 1, stopTimestamp: 3 })
      yield* sql`delete from video where id = ${gone!.id}`

      const page = yield* send(`/w/p/${shortUUID}`)
      assert.strictEqual(page.status, 200)
      for (const text of [
        `<meta property="og:title" content="Played &amp; told"`,
        `<meta property="og:description" content="About &lt;it&gt;"`,
        `<meta property="og:url" content="http://localhost:9000/w/p/${shortUUID}"`,
        `<meta property="og:video" content="http://localhost:9000/video-playlists/embed/${uuid}"`,
        `data-video="${first!.uuid}"`,
        `data-next="/w/p/${shortUUID}?playlistPosition=4"`,
        "Deleted video",
        "Private video",
        `name="robots" content="noindex"`
      ]) {
        assert.include(page.text.replaceAll(/\s+/g, " "), text)
      }
      assert.notInclude(page.text, hidden!.uuid)
      const fourth = yield* send(`/w/p/${uuid}?playlistPosition=4`)
      assert.include(fourth.text, `data-start="1" data-stop="3"`)
      assert.notInclude(fourth.text, "data-next")
      assert.include((yield* send(`/w/p/${shortUUID}?playlistPosition=2`)).text, "This video cannot be shown")
      assert.strictEqual((yield* send(`/w/p/${id}`)).status, 404)
      assert.strictEqual((yield* send("/w/p/nothing")).status, 404)
      const framed = yield* send(`/video-playlists/embed/${uuid}?playlistPosition=4`)
      assert.include(framed.headers.get("content-security-policy"), "frame-ancestors *")
      assert.include(framed.text, `data-video="${last!.uuid}"`)

      const { page: tab } = yield* newPage()
      const base = yield* baseUrl
      yield* visit(tab, `${base}/w/p/${shortUUID}?muted=1`)
      yield* waitFor(tab, `document.querySelector(".place-link[aria-current]").textContent.includes("First")`)
      // Whoever starts to play takes the countdown away again.
      yield* waitForVideo(tab, "!video.paused")
      yield* step("come to the end", () =>
        tab.evaluate(`document.querySelector("[data-video] > video").dispatchEvent(new Event("ended"))`)
      )
      yield* waitFor(tab, `location.search.includes("playlistPosition=4") && location.search.includes("muted=1")`)

      // What strangers may not see is told to who may.
      yield* enter(tab)
      yield* visit(tab, `${base}/w/p/${shortUUID}?playlistPosition=3`)
      yield* waitFor(tab, `document.querySelector("h1")?.textContent === "Hidden"`)
      assert.strictEqual(yield* step("count", () => tab.locator("a.place-link").count()), 3)

      // Private now: strangers find nothing, its owner the same as before.
      yield* ask("owner", "PUT", `/video-playlists/${id}`, { privacy: 3 })
      assert.strictEqual((yield* send(`/w/p/${shortUUID}`)).status, 404)
      yield* enter(tab)
      yield* visit(tab, `${base}/w/p/${shortUUID}?playlistPosition=3`)
      yield* waitFor(tab, `document.querySelector("[data-own-playlist] h1")?.textContent === "Hidden"`)
      assert.strictEqual(yield* step("count", () => tab.locator(".place").count()), 4)
    })
  )

  it.effect("save a video of a watch page to playlists, and take it out again", () =>
    Effect.gen(function* () {
      const shelf = yield* make({ displayName: "Shelf" })
      const { id: videoId, uuid } = yield* video("Worth keeping", 2)
      const [later] = (yield* ask("owner", "GET", "/users/me")).json.specialPlaylists
      const { page } = yield* newPage({ viewport: { width: 320, height: 640 } })
      const base = yield* enter(page)
      yield* visit(page, `${base}/w/${uuid}`)
      const box = (name: string) => page.getByRole("dialog").getByLabel(name)
      yield* step("save it", async () => {
        await page.getByRole("button", { name: "Save", exact: true }).click()
        await box("Watch later").check()
        await page.getByText("Saved to Watch later").waitFor()
        await box("Shelf").check()
        await page.getByText("Saved to Shelf").waitFor()
      })
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      const names = yield* step("read the names", () => page.locator(".save-box").allTextContents())
      assert.strictEqual(names[0], "Watch later")
      assert.deepStrictEqual(
        (yield* elements(later.id)).data.map((it) => it.video?.id),
        [videoId]
      )
      yield* step("take it out, and make another playlist for it", async () => {
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "Save", exact: true }).click()
        await box("Watch later").uncheck()
        await page.getByText("Removed from Watch later").waitFor()
        await page.getByLabel("Name of a new playlist").fill("Fresh")
        await page.getByRole("button", { name: "Create" }).click()
        await page.getByText("Saved to Fresh").waitFor()
      })
      assert.strictEqual((yield* elements(later.id)).total, 0)
      assert.strictEqual((yield* elements(shelf.id)).total, 1)
      const exist = (yield* ask("owner", "GET", `/users/me/video-playlists/videos-exist?videoIds=${videoId}`)).json
      assert.deepStrictEqual(
        exist[videoId].map((it: { playlistDisplayName: string }) => it.playlistDisplayName),
        ["Shelf", "Fresh"]
      )
    })
  )
})
