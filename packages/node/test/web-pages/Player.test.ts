import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schedule } from "effect"
import {
  Browser,
  newPage,
  picture,
  pictureDistance,
  playback,
  sidewaysScroll,
  step,
  visit,
  waitFor,
  waitForVideo
} from "../support/Browser.ts"
import { clipVideo, Media, PlayerServer, webFiles } from "./support/PagesServer.ts"
import { makeVideo } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** Opens the watch page of the clip and waits until it runs. */
const watchClip = Effect.fnUntraced(function* (id: number, query = "", options = {}) {
  const { add, origin } = yield* World
  add(clipVideo(origin, id))
  const watched = yield* newPage(options)
  yield* visit(watched.page, `${origin}/w/${id}${query}`)
  yield* waitForVideo(watched.page, "video.currentTime > 0.3 && !video.paused")
  return watched
})

layer(PlayerServer.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "player in Chromium",
  (it) => {
    it.effect("the picture moves", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(1)
        const before = { at: yield* playback(page), picture: yield* picture(page) }
        yield* waitForVideo(page, `video.currentTime > ${before.at.time + 2}`)
        // A busy machine shows some frames late.
        const after = yield* picture(page).pipe(
          Effect.repeat({
            until: (shown) => pictureDistance(before.picture, shown) > 1,
            schedule: Schedule.spaced("200 millis")
          }),
          Effect.timeout("30 seconds")
        )
        assert.isAbove(Math.max(...after) - Math.min(...after), 10, "the picture is not one colour")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("a sensitive video waits, blurred, until the viewer says that they want to watch it", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 60, { nsfw: true, nsfwFlags: 2, nsfwSummary: "A scene in bed" }))
        const { page, problems } = yield* newPage()
        const blurs = `getComputedStyle(document.querySelector("[data-video] > video")).filter.includes("blur")`
        for (const path of [`/w/${uuid}`, `/videos/embed/${uuid}?autoplay=1&muted=1`]) {
          yield* visit(page, `${origin}${path}`)
          yield* waitFor(page, `document.querySelector(".kp .sensitive") !== null && ${blurs}`)
          yield* step("press the key that plays", () => page.keyboard.press("k"))
          assert.isTrue((yield* playback(page)).paused)
          yield* step("accept", () => page.getByRole("button", { name: "Watch anyway" }).click())
          yield* waitForVideo(page, "video.currentTime > 0.3 && !video.paused")
          yield* waitFor(page, `document.querySelector(".sensitive") === null && !${blurs}`)
        }
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("a user's own choices about sensitive videos stand above the instance's", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 61, { nsfw: true, nsfwFlags: 2 }))
        const chosen = { nsfwPolicy: "warn", nsfwFlagsWarned: 0, nsfwFlagsBlurred: 0, nsfwFlagsHidden: 0 }
        const loggedIn = Effect.fnUntraced(function* (choices: object) {
          const { page } = yield* newPage()
          yield* step("log in", async () => {
            await page.addInitScript(`localStorage.setItem("kinora.session", '{"access":"a","refresh":"b"}')`)
            await page.route("**/api/v1/users/me", (route) => route.fulfill({ json: { ...chosen, ...choices } }))
          })
          yield* visit(page, `${origin}/w/${uuid}`)
          return page
        })
        yield* waitForVideo(yield* loggedIn({ nsfwFlagsDisplayed: 2 }), "video.currentTime > 0.3 && !video.paused")
        const warned = yield* loggedIn({ nsfwFlagsDisplayed: 0 })
        yield* waitFor(warned, `document.querySelector('[data-treatment="warn"] .sensitive') !== null`)
        assert.isTrue((yield* playback(warned)).paused)
      })
    )

    it.effect("seeking by pointer shows another picture and goes on from there", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(2)
        const before = yield* picture(page)
        const box = yield* step("find the seek bar", () => page.locator(".kp-seek").boundingBox())
        yield* step("click at 70 %", () => page.mouse.click(box!.x + box!.width * 0.7, box!.y + box!.height / 2))
        yield* waitForVideo(
          page,
          "video.currentTime >= 6.9 && video.currentTime < 8.5 && !video.seeking && video.readyState >= 3"
        )
        assert.isAbove(pictureDistance(before, yield* picture(page)), 3)
        yield* waitForVideo(page, "video.currentTime > 7.5")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the instance is told where somebody watches and jumps to, in one session", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(3, "?loop=1")
        const { reports } = yield* Media
        const uuid = yield* step("read the id", () => page.locator("[data-video]").first().getAttribute("data-video"))
        const told = () =>
          reports
            .filter((it) => it.startsWith(`${uuid} `))
            .map((it) => JSON.parse(it.slice(uuid!.length + 1)) as Record<string, unknown>)
        yield* step("jump", () => page.keyboard.press("5"))
        yield* Effect.repeat(Effect.sleep("100 millis"), {
          until: () => told().some(({ viewEvent }) => viewEvent === "seek")
        })
        assert.isAtMost(told()[0]!["currentTime"] as number, 3)
        assert.strictEqual(new Set(told().map(({ sessionId }) => sessionId)).size, 1)
        assert.match(String(told()[0]!["sessionId"]), /^[0-9a-f]{32}$/)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the preview over the seek bar shows the storyboard", () =>
      Effect.gen(function* () {
        const { page } = yield* watchClip(3)
        const box = yield* step("find the seek bar", () => page.locator(".kp-seek").boundingBox())
        yield* step("hover", () => page.mouse.move(box!.x + box!.width * 0.65, box!.y + box!.height / 2))
        const style = yield* step("read the preview", () =>
          page.evaluate<string>(`(() => {
          const style = getComputedStyle(document.querySelector(".kp-preview-picture"))
          return style.backgroundImage + style.backgroundPosition
        })()`)
        )
        assert.match(style, /storyboard\.jpg/)
        assert.match(style, /-192px -108px/)
      })
    )

    it.effect("chapters are marked on the bar, named beside the clock, and jumped to from the menu", () =>
      Effect.gen(function* () {
        const media = yield* Media
        media.chapters = [
          { title: "Before the storm", timecode: 0 },
          { title: "<b>After</b>", timecode: 6 }
        ]
        yield* Effect.addFinalizer(() => Effect.sync(() => (media.chapters = [])))
        const { page, problems } = yield* watchClip(20)
        yield* waitFor(page, `document.querySelectorAll(".kp-seek-chapter").length === 1`)
        yield* waitFor(page, `document.querySelector(".kp-chapter").textContent === "Before the storm"`)
        yield* step("open the settings", () => page.getByRole("button", { name: "Settings" }).click())
        yield* step("open the chapters", () => page.getByRole("menuitem", { name: /Chapters/ }).click())
        yield* step("choose", () => page.getByRole("menuitemradio", { name: "<b>After</b>" }).click())
        yield* waitForVideo(page, "video.currentTime >= 6")
        yield* waitFor(page, `document.querySelector(".kp-chapter").textContent === "<b>After</b>"`)
        assert.include(
          yield* step("read the bar", () => page.locator(".kp-seek").getAttribute("aria-valuetext")),
          "<b>After</b>"
        )
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("choosing a quality changes the size of the picture, and auto takes over again", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(4, "?loop=1")
        const choose = (name: string) =>
          step(`choose ${name}`, async () => {
            await page.locator(".kp-settings").click()
            await page.getByRole("menuitem", { name: /Quality/ }).click()
            await page.getByRole("menuitemradio", { name: new RegExp(`^${name}`) }).click()
          })
        yield* choose("240p")
        yield* waitForVideo(page, "video.videoHeight === 240")
        yield* choose("480p")
        yield* waitForVideo(page, "video.videoHeight === 480 && video.videoWidth === 854")
        yield* choose("Auto")
        const { time } = yield* playback(page)
        yield* waitForVideo(page, `video.currentTime !== ${time} && !video.paused`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the keyboard does all that the buttons do", () =>
      Effect.gen(function* () {
        const { page, problems } = yield* watchClip(5, "?loop=1")
        const press = (key: string) => step(`press ${key}`, () => page.keyboard.press(key))
        yield* press("k")
        yield* waitForVideo(page, "video.paused")
        yield* press("0")
        yield* waitForVideo(page, "video.currentTime < 0.2 && !video.seeking")
        yield* press("ArrowRight")
        yield* waitForVideo(page, "Math.abs(video.currentTime - 5) < 0.2")
        yield* press("ArrowLeft")
        yield* waitForVideo(page, "video.currentTime < 0.2")
        yield* press("8")
        yield* waitForVideo(page, "Math.abs(video.currentTime - 8) < 0.3")
        yield* press("m")
        yield* waitForVideo(page, "video.muted")
        yield* press(">")
        yield* waitForVideo(page, "video.playbackRate === 1.25")
        yield* press("<")
        yield* waitForVideo(page, "video.playbackRate === 1")
        yield* press("f")
        yield* waitFor(page, "document.fullscreenElement?.matches('[data-video]')")
        yield* press("f")
        yield* waitFor(page, "document.fullscreenElement === null")
        yield* press(" ")
        yield* waitForVideo(page, "!video.paused")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("volume and position are remembered, a start in the address wins", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        add(clipVideo(origin, 6, { duration: 600 }))
        const { page } = yield* newPage()
        yield* visit(page, `${origin}/w/6`)
        yield* waitForVideo(page, "video.readyState >= 3")
        const uuid = yield* step("read the uuid", () => page.locator("[data-video]").getAttribute("data-video"))
        yield* step("set the volume", () =>
          page.evaluate("document.querySelector('[data-video] > video').volume = 0.3")
        )
        yield* step("pretend a position", () =>
          page.evaluate(`localStorage.setItem("kinora.positions", '[["${uuid}",6]]')`)
        )
        yield* visit(page, "about:blank")
        yield* step("pretend again", async () => {
          await page.goto(`${origin}/about`)
          await page.evaluate(`localStorage.setItem("kinora.positions", '[["${uuid}",6]]')`)
        })
        yield* visit(page, `${origin}/w/6`)
        yield* waitForVideo(page, "video.currentTime >= 6 && Math.abs(video.volume - 0.3) < 0.001")
        yield* visit(page, `${origin}/w/6?start=3`)
        yield* waitForVideo(page, "video.currentTime >= 3 && video.currentTime < 6")
      })
    )

    it.effect("an outage is said, waited out, and playback resumes where it was", () =>
      Effect.gen(function* () {
        const media = yield* Media
        media.outage = true
        const { add, origin } = yield* World
        add(clipVideo(origin, 7))
        const { page } = yield* newPage()
        yield* visit(page, `${origin}/w/7?start=4`)
        const notice = page.locator(".kp-notice")
        yield* waitFor(page, `document.querySelector(".kp-notice")?.textContent.includes("Trying again")`)
        assert.strictEqual(yield* step("read the role", () => notice.getAttribute("role")), "status")
        media.outage = false
        yield* waitForVideo(page, "video.currentTime > 4.5 && !video.paused", 40_000)
        yield* waitFor(page, `document.querySelector(".kp-notice").textContent === ""`)
      })
    )

    it.effect(
      "an outage half-way is waited out without losing the position",
      () =>
        Effect.gen(function* () {
          const { add, origin } = yield* World
          add(clipVideo(origin, 8))
          const { page } = yield* newPage()
          let away = true
          yield* step("refuse all but the first fragments", () =>
            page.route("**/static/*.mp4", (route) => {
              const range = /bytes=(\d+)/.exec(route.request().headers()["range"] ?? "")
              return away && Number(range?.[1] ?? 0) > 100_000 ? route.fulfill({ status: 503 }) : route.continue()
            })
          )
          yield* visit(page, `${origin}/w/8`)
          yield* waitFor(page, `document.querySelector(".kp-notice")?.textContent.includes("Trying again")`)
          yield* waitForVideo(page, "video.currentTime > 1 && video.readyState < 3")
          const { time } = yield* playback(page)
          away = false
          yield* waitForVideo(page, `video.currentTime > ${time + 2} && !video.paused`)
          assert.isBelow(time, 5)
        }),
      60_000
    )

    it.effect("a video in preparation waits and starts by itself", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(makeVideo(origin, 9, { state: 2 }))
        const { page } = yield* newPage()
        let hidden = true
        yield* step("hide it from strangers, as the API does", () =>
          page.route(`**/api/v1/videos/${uuid}`, (route) =>
            hidden
              ? route.fulfill({ status: 404, contentType: "application/problem+json", body: "{}" })
              : route.continue()
          )
        )
        yield* visit(page, `${origin}/w/${uuid}`)
        yield* waitFor(page, `document.querySelector(".kp-panel")?.textContent.includes("being prepared")`)
        add(clipVideo(origin, 9, { name: "Ready at last" }))
        hidden = false
        yield* waitForVideo(page, "video.currentTime > 0.3 && !video.paused", 30_000)
        yield* waitFor(page, `document.querySelector(".kp-panel").hidden`)
        assert.strictEqual(yield* step("read the title", () => page.locator("h1").textContent()), "Ready at last")
      })
    )

    it.effect("takes renditions that join, at the next break", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const media = yield* Media
        const now = { publishedAt: DateTime.formatIso(yield* DateTime.now) }
        add(clipVideo(origin, 19, { ...now, streamingPlaylists: [], files: webFiles(origin).slice(0, 1) }))
        const { page, problems } = yield* newPage()
        media.requests.length = 0
        yield* visit(page, `${origin}/w/19`)
        yield* waitForVideo(page, "video.currentTime > 0.2 && !video.paused")
        assert.notInclude(media.requests, "master.m3u8")
        yield* step("play on and on", () => page.evaluate(`document.querySelector("video").loop = true`))
        const asked = yield* step("wait for the next look", () =>
          Promise.all([
            page.waitForResponse((it) => it.url().endsWith("/storyboards")),
            Promise.resolve(add(clipVideo(origin, 19, { ...now, files: webFiles(origin) })))
          ])
        )
        assert.strictEqual(asked[0].status(), 200)
        yield* step("seek", () => page.evaluate(`document.querySelector("video").currentTime = 6`))
        yield* waitForVideo(page, "video.currentTime > 6 && !video.paused && video.src.startsWith('blob:')")
        assert.include(media.requests, "master.m3u8")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("says what is wrong when the video turned private meanwhile", () =>
      Effect.gen(function* () {
        const { add, origin, videos } = yield* World
        const video = add(clipVideo(origin, 10))
        const { page } = yield* newPage()
        yield* step("answer 403", () =>
          page.route("**/api/v1/videos/*", (route) =>
            route.fulfill({ status: 403, contentType: "application/problem+json", body: "{}" })
          )
        )
        yield* visit(page, `${origin}/w/10`)
        yield* waitFor(page, `document.querySelector(".kp-panel")?.textContent.includes("private")`)
        videos.delete(video.uuid)
        yield* step("forget the route", () => page.unroute("**/api/v1/videos/*"))
        yield* step("try again", () => page.getByRole("button", { name: "Try again" }).click())
        yield* waitFor(page, `document.querySelector(".kp-panel")?.textContent.includes("does not exist")`)
      })
    )

    it.effect("plays a web video file when there is no playlist", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        add(clipVideo(origin, 11, { streamingPlaylists: [], files: webFiles(origin) }))
        const { page, problems } = yield* newPage()
        yield* visit(page, `${origin}/w/11?start=5`)
        yield* waitForVideo(page, "video.currentTime > 5.3 && video.videoHeight === 360")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("without scripts the file plays in the browser's own player", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        add(clipVideo(origin, 12, { files: webFiles(origin) }))
        const { page } = yield* newPage({ javaScriptEnabled: false })
        yield* visit(page, `${origin}/w/12`)
        const source = yield* step("find the file", () => page.locator("noscript video").getAttribute("src"))
        assert.strictEqual(source, `${origin}/static/web.mp4`)
      })
    )

    it.effect("an embed plays in the page of another site", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const video = add(clipVideo(origin, 13))
        const { page, problems } = yield* newPage()
        // "localhost" is another origin than 127.0.0.1.
        yield* visit(page, `${origin.replace("127.0.0.1", "localhost")}/blog/${video.uuid}`)
        const frame = page.frameLocator("iframe")
        yield* step("wait until it runs", async () => {
          await frame.locator(".kp-started").waitFor()
          const time = () =>
            frame
              .locator("[data-video] > video")
              .evaluate((it) => (it as unknown as { currentTime: number }).currentTime)
          const end = performance.now() + 20_000
          while ((await time()) < 0.5) {
            if (performance.now() > end) throw new Error("it does not run")
            await page.waitForTimeout(50)
          }
        })
        assert.isFalse(yield* step("look for the title", () => frame.locator(".embed-title").isVisible()))
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("an embed fetches no media before it is played", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { requests } = yield* Media
        const video = add(clipVideo(origin, 15))
        const { page, problems } = yield* newPage({ viewport: { width: 560, height: 315 } })
        requests.length = 0
        yield* visit(page, `${origin}/videos/embed/${video.uuid}?start=2`)
        yield* step("wait for the player", () => page.locator(".kp-big").waitFor())
        yield* step("wait for the API", () => page.waitForLoadState("networkidle"))
        const fetched = () => requests.filter((it) => it.endsWith("m3u8") || it.endsWith("mp4")).length
        assert.strictEqual(fetched(), 0)
        yield* step("press the big button", () => page.locator(".kp-big").click())
        yield* waitForVideo(page, "video.currentTime > 2.3 && !video.paused")
        assert.isAbove(fetched(), 2)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("nothing is wider than a phone, and touch shows and hides the controls", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const long = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(6)
        add(clipVideo(origin, 14, { name: long, description: `${long} https://example.org/${long}`, tags: [long] }))
        const { page, problems } = yield* newPage(phone)
        for (const path of ["/", "/w/14", "/about", "/c/root_channel", "/a/root", "/videos/test-embed"]) {
          yield* visit(page, origin + path)
          assert.isAtMost(yield* sidewaysScroll(page), 0, path)
        }
        yield* visit(page, `${origin}/w/14?loop=1`)
        yield* waitForVideo(page, "video.currentTime > 0.3")
        yield* waitFor(page, `document.querySelector("[data-video]").classList.contains("kp-idle")`)
        yield* step("tap", () => page.locator("[data-video] > video").tap())
        yield* waitFor(page, `!document.querySelector("[data-video]").classList.contains("kp-idle")`)
        assert.isFalse((yield* playback(page)).paused)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("the home page appends the next videos in place", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        for (let id = 100; id < 130; id++) add(makeVideo(origin, id, { thumbnailPath: "/static/preview.jpg" }))
        const { page, problems } = yield* newPage()
        yield* visit(page, `${origin}/`)
        const count = () => step("count the cards", () => page.locator(".cards > li").count())
        assert.strictEqual(yield* count(), 24)
        // Before its script is there, the link leads to the next page.
        yield* step("wait for the script", () => page.waitForLoadState("networkidle"))
        // Pressed before it comes by itself, as it does for who scrolls down.
        yield* step("show more", () => page.evaluate(`document.querySelector("a.more").click()`))
        yield* waitFor(page, `document.querySelectorAll(".cards > li").length > 24`)
        assert.strictEqual(page.url(), `${origin}/`)
        assert.deepStrictEqual(problems, [])
      })
    )
  }
)
