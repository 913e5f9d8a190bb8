import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Browser, newPage, step, visit, waitFor, waitForVideo } from "../support/Browser.ts"
import { clipVideo, PlayerServer } from "./support/PagesServer.ts"
import { makeVideo, uuidOf } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

const watchClip = Effect.fnUntraced(function* (id: number, query = "?loop=1", options = {}) {
  const { add, origin } = yield* World
  add(clipVideo(origin, id, { name: `Clip ${id}` }))
  const watched = yield* newPage(options)
  yield* visit(watched.page, `${origin}/w/${id}${query}`)
  yield* waitForVideo(watched.page, "video.currentTime > 0.2 && !video.paused")
  return watched
})

const press = (page: Page, key: string) => step(`press ${key}`, () => page.keyboard.press(key))

const shows = (page: Page, selector: string) =>
  waitFor(page, `document.querySelector(${JSON.stringify(selector)}) !== null`)
const lacks = (page: Page, selector: string) =>
  waitFor(page, `document.querySelector(${JSON.stringify(selector)}) === null`)
const says = (page: Page, text: string) =>
  waitFor(page, `document.querySelector(".kp-notice").textContent.includes(${JSON.stringify(text)})`)

layer(PlayerServer.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "features of the player",
  (it) => {
    it.effect("theatre mode takes the width of the window, and the next page remembers", () =>
      Effect.gen(function* () {
        const { origin } = yield* World
        const { page, problems } = yield* watchClip(1)
        const width = "document.querySelector('.stage').getBoundingClientRect().width"
        yield* waitFor(page, `${width} < innerWidth - 20`)
        yield* press(page, "t")
        yield* waitFor(
          page,
          `${width} >= innerWidth - 1 && document.querySelector(".kp-theatre").getAttribute("aria-pressed") === "true"`
        )
        yield* visit(page, `${origin}/w/1`)
        yield* waitFor(page, `${width} >= innerWidth - 1`)
        yield* step("leave", () => page.getByRole("button", { name: "Theatre mode" }).click())
        yield* waitFor(page, `${width} < innerWidth - 20`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("a section repeats between its two marks", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(2, "?start=2")
        yield* press(page, "b")
        yield* says(page, "Section begins at 0:0")
        const from = yield* step("read", () => page.evaluate<number>("document.querySelector('video').currentTime"))
        yield* waitForVideo(page, `video.currentTime > ${from + 1}`)
        yield* press(page, "b")
        yield* says(page, "Repeating")
        yield* step("jump behind it", () => page.evaluate("document.querySelector('video').currentTime = 9"))
        yield* waitForVideo(page, `Math.abs(video.currentTime - ${from}) < 1 && !video.paused`)
        yield* press(page, "b")
        yield* says(page, "no longer")
        yield* waitFor(page, `document.querySelector(".kp-seek-section").hidden`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the context menu, the settings and keys offer the same", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(3, "?start=3")
        yield* step("open the context menu", () => page.locator("[data-video] > video").click({ button: "right" }))
        yield* shows(page, ".kp-context")
        yield* step("loop", () => page.getByRole("menuitemcheckbox", { name: "Loop" }).click())
        yield* waitForVideo(page, "video.loop")
        yield* lacks(page, ".kp-context")
        yield* step("open the settings", () => page.getByRole("button", { name: "Settings" }).click())
        yield* step("open the rest", () => page.getByRole("menuitem", { name: "More" }).click())
        yield* step("look", () => page.getByRole("menuitemcheckbox", { name: "Loop", checked: true }).waitFor())
        yield* step("show statistics", () => page.getByRole("menuitemcheckbox", { name: "Statistics" }).click())
        yield* waitFor(page, `/854×480/.test(document.querySelector(".kp-statistics")?.textContent)`)
        yield* waitFor(page, `/avc1/.test(document.querySelector(".kp-statistics")?.textContent)`)
        yield* waitFor(page, `/http\\/1.1|h2/.test(document.querySelector(".kp-statistics")?.textContent)`)
        yield* press(page, "d")
        yield* lacks(page, ".kp-statistics")
        yield* press(page, "?")
        yield* shows(page, ".kp-help[open]")
        assert.include(yield* step("read", () => page.locator(".kp-help").innerText()), "Copy link at this time")
        yield* press(page, "Escape")
        yield* lacks(page, ".kp-help")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("copies a link to this moment", () =>
      Effect.gen(function* () {
        const { origin } = yield* World
        const { page } = yield* watchClip(4, "?start=5", { permissions: ["clipboard-read", "clipboard-write"] })
        yield* press(page, "k")
        yield* waitForVideo(page, "video.paused")
        yield* step("go to a moment", () => page.evaluate("document.querySelector('video').currentTime = 6.4"))
        yield* waitForVideo(page, "video.currentTime === 6.4")
        yield* press(page, "u")
        yield* says(page, "Link copied")
        const copied = yield* step("read the clipboard", () => page.evaluate<string>("navigator.clipboard.readText()"))
        assert.match(copied, new RegExp(`^${origin}/w/${uuidOf(4)}\\?start=6s$`))
      })
    )

    it.effect("stable volume goes through an audio graph under the policy, and time goes on", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(5)
        yield* press(page, "v")
        yield* waitFor(page, `document.querySelector("[data-video]").dataset.stable === ""`)
        const time = yield* step("read", () => page.evaluate<number>("document.querySelector('video').currentTime"))
        yield* waitForVideo(page, `Math.abs(video.currentTime - ${time}) > 0.5`)
        yield* press(page, "v")
        yield* waitFor(page, `document.querySelector("[data-video]").dataset.stable === undefined`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("media keys know what plays", () =>
      Effect.gen(function* () {
        const { page } = yield* newPage()
        const { add, origin, playlists } = yield* World
        const list = uuidOf(901)
        playlists.set(list, [
          add(clipVideo(origin, 6)),
          add(clipVideo(origin, 7, { name: "Second" })),
          add(clipVideo(origin, 8))
        ])
        yield* step("note the handlers", () =>
          page.addInitScript(
            `window.handlers = {}; navigator.mediaSession.setActionHandler = (name, run) => { handlers[name] = run }`
          )
        )
        yield* visit(page, `${origin}/w/p/${list}?playlistPosition=2`)
        yield* waitForVideo(page, "video.currentTime > 0.2")
        yield* waitFor(
          page,
          `navigator.mediaSession.metadata?.title === "Second" && navigator.mediaSession.metadata.artist === "Peach Open Movies"`
        )
        yield* waitFor(page, `navigator.mediaSession.metadata.artwork.length === 1`)
        yield* step("pause", () => page.evaluate("handlers.pause({})"))
        yield* waitForVideo(page, "video.paused")
        yield* step("seek", () => page.evaluate("handlers.seekto({ seekTime: 4 })"))
        yield* waitForVideo(page, "Math.abs(video.currentTime - 4) < 0.1")
        yield* step("next", () => page.evaluate("handlers.nexttrack({})"))
        yield* waitFor(page, `new URL(location.href).searchParams.get("playlistPosition") === "3"`)
      })
    )

    it.effect("a button plays on another device while there is one", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* newPage()
        const { add, origin } = yield* World
        add(clipVideo(origin, 9))
        yield* step("pretend a device", () =>
          page.addInitScript(`
            const remote = Object.assign(new EventTarget(), {
              watchAvailability: async (call) => { window.available = call; call(false); return 1 },
              prompt: async () => { window.prompted = true }
            })
            Object.defineProperty(HTMLMediaElement.prototype, "remote", { get: () => remote })`)
        )
        yield* visit(page, `${origin}/w/9?loop=1`)
        yield* waitForVideo(page, "video.currentTime > 0.2")
        yield* waitFor(page, "document.querySelector('.kp-remote')?.hidden === true && window.available !== undefined")
        yield* step("a device appears", () => page.evaluate("available(true)"))
        yield* step("choose it", () => page.getByRole("button", { name: "Play on another device" }).click())
        yield* waitFor(page, "window.prompted === true")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the next video follows after a countdown that can be cancelled", () =>
      Effect.gen(function* () {
        const { add, origin, videos } = yield* World
        videos.clear()
        add(makeVideo(origin, 11, { name: "The one that follows" }))
        const { page, problems } = yield* watchClip(10, "?start=8")
        yield* step("switch it on", () => page.getByRole("switch", { name: "Autoplay" }).click())
        yield* waitFor(page, `document.querySelector(".kp-next")?.textContent.includes("The one that follows")`)
        yield* step("cancel", () => page.getByRole("button", { name: "Cancel" }).click())
        yield* lacks(page, ".kp-next")
        yield* step("near the end again", () =>
          page.evaluate("document.querySelector('video').currentTime = 9.3; document.querySelector('video').play()")
        )
        yield* step("go at once", () => page.getByRole("button", { name: "Play now" }).click())
        yield* waitFor(page, `document.querySelector("h1").textContent === "The one that follows"`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("a playlist counts down, too", () =>
      Effect.gen(function* () {
        const { add, origin, playlists } = yield* World
        const list = uuidOf(902)
        playlists.set(list, [add(clipVideo(origin, 12)), add(clipVideo(origin, 13, { name: "Second part" }))])
        const { page } = yield* newPage()
        yield* visit(page, `${origin}/w/p/${list}?start=9`)
        yield* waitFor(page, `document.querySelector(".kp-next")?.textContent.includes("Second part")`)
        yield* waitFor(page, `new URL(location.href).searchParams.get("playlistPosition") === "2"`)
        yield* waitForVideo(page, "video.currentTime > 0.2")
      })
    )

    it.effect("the chosen quality is remembered, and sound alone plays over the preview", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const video = clipVideo(origin, 14)
        const [playlist] = video.streamingPlaylists
        const sound = {
          ...playlist!.files[0]!,
          resolution: { id: 0, label: "Audio only" },
          hasVideo: false,
          fileUrl: `${origin}/static/audio.mp4`,
          playlistUrl: `${origin}/static/audio.m3u8`
        }
        const both = playlist!.files.map((it) => ({ ...it, hasAudio: true }))
        add({ ...video, streamingPlaylists: [{ ...playlist!, files: [...both, sound] }] })
        const { page, problems } = yield* newPage()
        yield* visit(page, `${origin}/w/14?loop=1`)
        yield* waitForVideo(page, "video.currentTime > 0.2")
        const choose = (name: string) =>
          step(`choose ${name}`, async () => {
            await page.locator(".kp-settings").click()
            await page.getByRole("menuitem", { name: /Quality/ }).click()
            await page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click()
          })
        yield* choose("240p")
        yield* waitForVideo(page, "video.videoHeight === 240")
        yield* visit(page, `${origin}/w/14?loop=1`)
        yield* waitForVideo(page, "video.videoHeight === 240 && video.currentTime > 0.2")
        yield* choose("Audio only")
        yield* waitForVideo(page, "video.videoHeight === 0 && video.currentTime > 0.2 && !video.paused")
        yield* waitFor(
          page,
          `getComputedStyle(document.querySelector(".kp-audio > video")).backgroundImage.includes("preview.jpg")`
        )
        yield* choose("480p")
        yield* waitForVideo(page, "video.videoHeight === 480 && !video.paused")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("sound in a rendition of its own, and MPEG-TS, which the small build of hls.js does not read", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        for (const [id, master] of [
          [62, "split"],
          [63, "transport-stream"]
        ] as const) {
          const video = clipVideo(origin, id)
          const [playlist] = video.streamingPlaylists
          add({ ...video, streamingPlaylists: [{ ...playlist!, playlistUrl: `${origin}/static/${master}.m3u8` }] })
          const { page, problems } = yield* newPage()
          yield* visit(page, `${origin}/w/${id}`)
          yield* waitForVideo(
            page,
            "video.currentTime > 1 && video.webkitAudioDecodedByteCount > 0 && video.videoHeight === 240"
          )
          yield* step("seek", () => page.evaluate("document.querySelector('[data-video] > video').currentTime = 7"))
          yield* waitForVideo(page, "video.currentTime > 7.3 && !video.paused")
          assert.deepStrictEqual(problems, [])
        }
      })
    )

    it.effect("a finger across the picture seeks, two taps at a side jump", () =>
      Effect.gen(function* () {
        const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
        const { page } = yield* watchClip(15, "?start=1", phone)
        const box = (yield* step("find the picture", () => page.locator("[data-video] > video").boundingBox()))!
        const touch = yield* step("take the screen", () => page.context().newCDPSession(page))
        const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + box.height * 0.4 })
        const send = (type: "touchStart" | "touchMove" | "touchEnd", points: Array<{ x: number; y: number }>) =>
          step(type, () => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points }))
        yield* press(page, "k")
        yield* waitForVideo(page, "video.paused")
        const before = yield* step("read", () => page.evaluate<number>("document.querySelector('video').currentTime"))
        yield* send("touchStart", [at(0.3)])
        for (const share of [0.35, 0.4, 0.5, 0.6]) yield* send("touchMove", [at(share)])
        yield* says(page, "/ 0:10")
        yield* send("touchEnd", [])
        yield* waitForVideo(page, `Math.abs(video.currentTime - ${before} - 3) < 0.8`)
        for (let i = 0; i < 2; i++) {
          yield* send("touchStart", [at(0.1)])
          yield* send("touchEnd", [])
        }
        yield* waitForVideo(page, "video.currentTime < 0.1")
        // The browser makes a double click of them, which is for full screen when a mouse makes it.
        yield* step("draw", () => page.evaluate("new Promise((drawn) => requestAnimationFrame(drawn))"))
        assert.isTrue(yield* step("look", () => page.evaluate<boolean>("document.fullscreenElement === null")))
      })
    )

    it.effect("says what to do when it cannot play, and nothing of hls.js comes before somebody wants to play", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 16))
        const { page } = yield* newPage()
        yield* step("answer 404", () =>
          page.route("**/api/v1/videos/*", (route) =>
            route.fulfill({ status: 404, contentType: "application/problem+json", body: "{}" })
          )
        )
        yield* visit(page, `${origin}/w/16`)
        yield* waitFor(page, `document.querySelector(".kp-advice")?.textContent.includes("Check the address")`)
        yield* step("forget the route", () => page.unroute("**/api/v1/videos/*"))
        yield* step("try again", () => page.getByRole("button", { name: "Try again" }).click())
        yield* waitForVideo(page, "video.currentTime > 0.2")

        const embed = yield* newPage()
        const scripts: Array<number> = []
        embed.page.on("response", (it) => {
          if (it.url().endsWith(".js")) scripts.push(Number(it.headers()["content-length"] ?? 0))
        })
        yield* visit(embed.page, `${origin}/videos/embed/${uuid}`)
        yield* step("wait", () => embed.page.waitForLoadState("networkidle"))
        assert.isAtMost(
          scripts.reduce((a, b) => a + b, 0),
          40_000
        )
        yield* step("play", () => embed.page.locator(".kp-big").click())
        yield* waitForVideo(embed.page, "video.currentTime > 0.2")
      })
    )

    it.effect("a watch page is light, with what plays HLS too, and nothing on it jumps", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        for (let id = 17; id < 24; id++) add(clipVideo(origin, id))
        add(clipVideo(origin, 24, { description: "A line of many.\n".repeat(30) }))
        for (const width of [1280, 390]) {
          const { page, problems } = yield* newPage({ viewport: { width, height: 800 } })
          yield* step("count shifts", () =>
            page.addInitScript(`window.shifted = 0; new PerformanceObserver((list) => {
              for (const it of list.getEntries()) if (!it.hadRecentInput) shifted += it.value
            }).observe({ type: "layout-shift", buffered: true })`)
          )
          const scripts: Array<number> = []
          page.on("response", (it) => {
            if (it.url().endsWith(".js")) scripts.push(Number(it.headers()["content-length"] ?? 0))
          })
          yield* visit(page, `${origin}/w/24?autoplay=0`)
          yield* step("wait", () => page.waitForLoadState("networkidle"))
          assert.isAtMost(yield* step("read", () => page.evaluate<number>("shifted")), 0.02)
          const sum = (sizes: ReadonlyArray<number>) => sizes.reduce((a, b) => a + b, 0)
          assert.isAtMost(sum(scripts.toSorted((a, b) => b - a).slice(1)), 45_000, "bytes of all scripts but hls.js")
          assert.isAtMost(sum(scripts), 120_000, "bytes of all scripts, as the browser asked for them")
          assert.deepStrictEqual(problems, [])
        }
      })
    )
  }
)
