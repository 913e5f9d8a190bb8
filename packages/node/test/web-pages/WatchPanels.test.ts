import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Browser, newPage, step, visit, waitFor, waitForVideo } from "../support/Browser.ts"
import { clipVideo, Media, PlayerServer } from "./support/PagesServer.ts"
import { accessible } from "./support/WorkingAreas.ts"
import { World } from "./support/World.ts"

const subtitles = `WEBVTT

00:00.000 --> 00:01.500
Once upon a time

00:02.000 --> 00:03.000
A rabbit, Élodie

00:03.500 --> 00:05.000
The end
`

layer(PlayerServer.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "beside the player",
  (it) => {
    it.effect("chapters and a transcript with a search go where one wants, and the link and the files are there", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        const media = yield* Media
        yield* Effect.promise(() => writeFile(join(media.folder, "en.vtt"), subtitles))
        media.captions = [{ language: { id: "en", label: "English" } }]
        media.chapters = [
          { title: "Beginning", timecode: 0 },
          { title: "Middle", timecode: 2 }
        ]
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            media.captions = []
            media.chapters = []
          })
        )
        const { shortUUID, uuid } = add(clipVideo(origin, 80, { name: `A "title"` }))
        const { page, problems } = yield* newPage({ permissions: ["clipboard-read", "clipboard-write"] })
        yield* visit(page, `${origin}/w/80?muted=1`)
        yield* waitForVideo(page, "video.currentTime > 0.2")
        yield* step("pause", () => page.evaluate(`document.querySelector("[data-video] > video").pause()`))

        yield* step("go to a chapter", async () => {
          await page.getByRole("button", { name: "Chapters" }).click()
          await page.getByRole("button", { name: /Middle/ }).click()
        })
        yield* waitForVideo(page, "Math.abs(video.currentTime - 2) < 0.1")
        yield* waitFor(page, `document.querySelector(".moment[aria-current]")?.textContent.includes("Middle")`)

        yield* step("search in the transcript", async () => {
          await page.getByRole("button", { name: "Transcript" }).click()
          await page.getByLabel("Search in the transcript").fill("elodie")
        })
        const shown = page.locator("section[aria-label=Transcript] li:visible")
        yield* waitFor(page, `document.querySelector("section[aria-label=Transcript] li[hidden]") !== null`)
        assert.strictEqual(yield* step("count", () => shown.count()), 1)
        assert.deepStrictEqual(yield* step("look", () => accessible(page)), [])

        yield* step("share", async () => {
          await page.getByRole("button", { name: "Share", exact: true }).click()
          await page.getByLabel("Start at", { exact: true }).check()
          await page.getByRole("dialog").getByLabel("Time to start at").fill("1:05")
          await page.getByLabel("Repeat").check()
        })
        const field = (label: string) =>
          step(`read ${label}`, () => page.getByRole("dialog").getByLabel(label, { exact: true }).inputValue())
        assert.strictEqual(yield* field("Link"), `${origin}/w/${shortUUID}?start=65s`)
        const code = yield* field("Embed code")
        assert.include(code, `${origin}/videos/embed/${uuid}?start=65s&amp;loop=1`)
        assert.include(code, `title="A &quot;title&quot;"`)
        assert.deepStrictEqual(yield* step("look", () => accessible(page)), [])
        yield* step("copy", () => page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }).click())
        yield* waitFor(page, `document.querySelector("dialog .button")?.textContent === "Copied"`)
        assert.include(yield* step("read", () => page.evaluate<string>("navigator.clipboard.readText()")), "start=65s")
        yield* step("close", () => page.keyboard.press("Escape"))

        yield* step("download", () => page.getByRole("button", { name: "Download" }).click())
        // The dialog is fetched when it is first asked for.
        yield* waitFor(page, `document.querySelectorAll("dialog[open] a").length >= 3`)
        const files = yield* step("read", () => page.getByRole("dialog").locator("a").allInnerTexts())
        assert.deepStrictEqual(
          files.map((it) => it.split("\n")[0]),
          ["480p", "240p", "English"]
        )
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("on a phone other videos come before the comments", () =>
      Effect.gen(function* () {
        const { add, origin } = yield* World
        add(clipVideo(origin, 81))
        add(clipVideo(origin, 82))
        const { page } = yield* newPage({ viewport: { width: 360, height: 740 } })
        yield* visit(page, `${origin}/w/82?muted=1`)
        const top = (selector: string) => `document.querySelector("${selector}").getBoundingClientRect().top`
        const isBefore = `${top(".next")} < ${top(".comments")}`
        assert.isTrue(yield* step("look", () => page.evaluate<boolean>(isBefore)))
        yield* step("grow", () => page.setViewportSize({ width: 1280, height: 800 }))
        yield* waitFor(page, `${top(".next")} < ${top("h1")}`)
      })
    )
  }
)
