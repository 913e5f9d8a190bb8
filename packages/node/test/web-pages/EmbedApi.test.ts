import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { clipVideo, Media, PlayerServer } from "./support/PagesServer.ts"
import { uuidOf } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

/** Opens a page of another site that drives this embed with the package, and waits until the player is ready. */
const drive = Effect.fnUntraced(function* (embed: string) {
  const { origin } = yield* World
  const watched = yield* newPage()
  const site = origin.replace("127.0.0.1", "localhost")
  yield* visit(watched.page, `${site}/site?embed=${encodeURIComponent(embed)}`)
  yield* ask(watched.page, "player.ready.then(() => 1)")
  return watched
})

/** What the package answers. */
const ask = <A>(page: Page, call: string) => step(call, () => page.evaluate<A>(call))

/** Asks the package until its answer is as expected. */
const until = (page: Page, call: string, holds: string) =>
  step(`${call}: ${holds}`, async () => {
    const end = performance.now() + 45_000
    while (!(await page.evaluate<boolean>(`${call}.then((it) => Boolean(${holds}))`))) {
      if (performance.now() > end) throw new Error("not so")
      await page.waitForTimeout(50)
    }
  })

const happened = (page: Page, name: string, holds = "true") =>
  waitFor(page, `events.some(({ name, event: it }) => name === "${name}" && (${holds}))`)

layer(PlayerServer.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "an embed driven by @peertube/embed-api",
  (it) => {
    it.effect("plays, pauses, seeks and says where it is", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 1))
        const { page, problems } = yield* drive(`/videos/embed/${uuid}?api=1&muted=1`)
        assert.isFalse(yield* ask(page, "player.isPlaying()"))
        yield* ask(page, "player.play()")
        yield* until(page, "player.getCurrentTime()", "it > 0.3")
        assert.isTrue(yield* ask(page, "player.isPlaying()"))
        yield* happened(page, "play")
        yield* happened(page, "playbackStatusChange", `it === "playing"`)
        yield* happened(
          page,
          "playbackStatusUpdate",
          `it.position > 0 && it.duration > 9 && it.duration < 11 && it.playbackState === "playing" && it.volume === 0`
        )
        yield* ask(page, "player.pause()")
        yield* until(page, "player.isPlaying()", "!it")
        yield* happened(page, "pause")
        yield* happened(page, "playbackStatusChange", `it === "paused"`)
        yield* ask(page, "player.seek(6)")
        yield* until(page, "player.getCurrentTime()", "Math.abs(it - 6) < 0.1")
        yield* ask(page, "player.seek(9.5).then(() => player.play())")
        yield* happened(page, "playbackStatusChange", `it === "ended"`)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("sets volume, speed, captions and resolution", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const media = yield* Media
        media.captions = [{ language: { id: "en", label: "English" } }]
        yield* Effect.addFinalizer(() => Effect.sync(() => (media.captions = [])))
        const { uuid } = add(clipVideo(origin, 2))
        const { page, problems } = yield* drive(`/videos/embed/${uuid}?api=1&muted=1&loop=1&subtitle=en`)

        const ahead = yield* ask<Array<{ id: number }>>(page, "player.getResolutions()")
        assert.deepStrictEqual(
          ahead.map(({ id }) => id),
          [480, 240, -1]
        )
        yield* ask(page, "player.setResolution(240)")
        yield* ask(page, "player.play()")
        yield* until(page, "player.getResolutions()", "it.some(({ id, active }) => id === 240 && active)")
        yield* happened(page, "resolutionUpdate", "it.resolutions.some(({ id, active }) => id === 240 && active)")
        const frame = page.frames()[1]!
        const height = () => frame.evaluate<number>("document.querySelector('[data-video] > video').videoHeight")
        yield* step("wait for 240 lines", async () => {
          const end = performance.now() + 45_000
          while ((await height()) !== 240) {
            if (performance.now() > end) throw new Error(`it has ${await height()}`)
            await page.waitForTimeout(50)
          }
        })
        yield* ask(page, "player.setResolution(-1)")
        yield* until(page, "player.getResolutions()", "it.some(({ id, active }) => id === -1 && active)")

        yield* ask(page, "player.setVolume(0.4)")
        yield* until(page, "player.getVolume()", "Math.abs(it - 0.4) < 0.001")
        yield* happened(page, "volumeChange", "Math.abs(it - 0.4) < 0.001")

        assert.include(yield* ask<Array<number>>(page, "player.getPlaybackRates()"), 1.5)
        yield* ask(page, "player.setPlaybackRate(1.5)")
        assert.strictEqual(yield* ask(page, "player.getPlaybackRate()"), 1.5)

        yield* until(page, "player.getCaptions()", `it[0]?.id === "en" && it[0].mode === "showing"`)
        yield* ask(page, `player.setCaption("")`)
        yield* until(page, "player.getCaptions()", `it[0].mode === "disabled"`)
        yield* ask(page, `player.setCaption("en")`)
        yield* until(page, "player.getCaptions()", `it[0].mode === "showing" && it[0].label === "English"`)
        assert.match(yield* ask<string>(page, "player.getImageDataUrl()"), /^data:image\/jpeg;base64,.{200}/)
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("goes through a playlist", () =>
      Effect.gen(function* () {
        const { add, origin, playlists } = yield* World
        const list = uuidOf(900)
        playlists.set(list, [add(clipVideo(origin, 3)), add(clipVideo(origin, 4)), add(clipVideo(origin, 5))])
        const { page, problems } = yield* drive(`/video-playlists/embed/${list}?api=1&muted=1&playlistPosition=2`)
        const position = () => ask<number>(page, "player.getCurrentPosition()")
        assert.strictEqual(yield* position(), 2)
        yield* ask(page, "player.playNextVideo()")
        assert.strictEqual(yield* position(), 3)
        yield* until(page, "player.getCurrentTime()", "it > 0.2")
        yield* ask(page, "player.playNextVideo()")
        assert.strictEqual(yield* position(), 3, "there is no fourth")
        yield* ask(page, "player.playPreviousVideo().then(() => player.playPreviousVideo())")
        assert.strictEqual(yield* position(), 1)
        yield* until(page, "player.isPlaying()", "it")
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("opens a video with the password that the page outside sends", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 6, { privacy: 5 }))
        const { page } = yield* drive(`/videos/embed/${uuid}?api=1&muted=1&waitPasswordFromEmbedAPI=1`)
        const frame = page.frameLocator("iframe")
        assert.strictEqual(yield* step("look for the form", () => frame.locator(".kp-password").count()), 0)
        yield* ask(page, `player.setVideoPassword("open")`)
        yield* step("wait for the form", () => frame.getByText("This is not the password").waitFor())
        yield* ask(page, `player.setVideoPassword("sesame").then(() => player.play())`)
        yield* until(page, "player.getCurrentTime()", "it > 0.2")
        assert.strictEqual(
          yield* ask(page, "player.getImageDataUrl().catch(() => 'refused')"),
          "refused",
          "no picture of what is not for everybody"
        )
      })
    )

    it.effect("refuses values that are none, and answers nobody without api=1", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 7))
        const { page, problems } = yield* drive(`/videos/embed/${uuid}?api=1&muted=1`)
        for (const call of [
          "seek('x')",
          "seek(NaN)",
          "setVolume({})",
          "setPlaybackRate('2')",
          "setResolution(721)",
          "setVideoPassword(7)"
        ]) {
          assert.strictEqual(yield* ask(page, `player.${call}.then(() => "done", () => "refused")`), "refused", call)
        }
        yield* step("send what is no message of ours", () =>
          page.evaluate(`for (const it of [1, null, {}, "{", "[]", "null", '{"method":1}', '{"method":"peertube::x"}', '{"id":{},"method":"peertube::play"}'])
            frame.contentWindow.postMessage(it, "*")`)
        )
        yield* ask(page, "player.play()")
        yield* until(page, "player.getCurrentTime()", "it > 0.2")

        const silent = yield* newPage()
        const site = origin.replace("127.0.0.1", "localhost")
        yield* visit(
          silent.page,
          `${site}/site?embed=${encodeURIComponent(`/videos/embed/${uuid}?muted=1&autoplay=1`)}`
        )
        yield* step("wait until it plays", () => silent.page.frameLocator("iframe").locator(".kp-started").waitFor())
        assert.strictEqual(
          yield* ask(silent.page, "Promise.race([player.isPlaying(), Promise.resolve('silence')])"),
          "silence"
        )
        assert.deepStrictEqual(yield* ask(silent.page, "events"), [])
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("looks and behaves as the address asks", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const { uuid } = add(clipVideo(origin, 8))
        const { page, problems } = yield* newPage({ viewport: { width: 560, height: 315 } })
        const open = (query: string) => visit(page, `${origin}/videos/embed/${uuid}?${query}`)
        yield* open("bigPlayBackgroundColor=rgb(200,10,20)&foregroundColor=%23ffee00&title=0&controlBar=0")
        yield* waitFor(
          page,
          `getComputedStyle(document.querySelector(".kp-big")).backgroundColor === "rgb(200, 10, 20)"`
        )
        yield* waitFor(page, `getComputedStyle(document.querySelector(".kp-big")).color === "rgb(255, 238, 0)"`)
        yield* waitFor(
          page,
          `document.querySelector(".kp-bar") === null && document.querySelector(".embed-title").hidden`
        )
        yield* open("autoplay=1&muted=1&start=2&stop=3&playbackRate=2&mode=web-video")
        yield* waitFor(
          page,
          `(() => { const it = document.querySelector("[data-video] > video"); return it.paused && it.currentTime >= 3 && it.currentTime < 4 && it.playbackRate === 2 })()`
        )
        yield* open("controls=0")
        yield* waitFor(page, `document.querySelector(".kp-big") !== null && document.querySelector(".kp-bar") === null`)
        yield* open("bigPlayBackgroundColor=url(https://example.org/x)&foregroundColor=red;background:url(//x)")
        yield* waitFor(page, `document.querySelector(".kp-big") !== null`)
        assert.strictEqual(
          yield* step("read the style", () =>
            page.evaluate<string>(`document.querySelector("[data-video]").style.getPropertyValue("--kp-big")`)
          ),
          ""
        )
        assert.deepStrictEqual(problems, [])
      })
    )
  }
)
