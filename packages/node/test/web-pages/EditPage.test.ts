import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { clipFolder } from "./support/Clip.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "the page where a video is changed",
  (it) => {
    it.effect(
      "is reached from the list, keeps what is typed, and saves it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ada")
          const { id } = yield* addVideo({ owner: "ada" })
          const { page, problems } = yield* openAs("ada", "/my/videos")
          yield* waitFor(page, "document.querySelector('.v-facts a')")
          yield* step("open the form", async () => {
            await page.getByRole("button", { name: "Actions for Video of ada" }).click()
            await page.getByRole("menuitem", { name: "Edit" }).click()
          })
          yield* waitFor(page, `${heading} === "Video of ada" && document.querySelector("main form")`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("type", async () => {
            await page.getByLabel("Name").fill("A walk")
            await page.getByLabel("Support").fill("Buy me a tea")
          })
          yield* step("load again", () => page.reload())
          yield* waitFor(page, "document.querySelector('main form input')?.value === 'A walk'")
          yield* step("protect it without a password", async () => {
            await page.getByLabel("Who may see it").selectOption("5")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, "document.body.textContent.includes('At least one password')")
          yield* step("give two, and save", async () => {
            await page.getByLabel("Passwords").pressSequentially("first,second,")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, `${said("The video is saved.")} && ${heading} === "A walk"`)
          const saved = yield* sql`select name, support, privacy from video where id = ${id}`
          assert.deepStrictEqual(saved, [{ name: "A walk", support: "Buy me a tea", privacy: 5 }])
          const passwords = yield* sql<{ password: string }>`select password from video_password where video_id = ${id}`
          assert.sameMembers(
            passwords.map((it) => it.password),
            ["first", "second"]
          )
          yield* step("load again", () => page.reload())
          yield* waitFor(
            page,
            "[...document.querySelectorAll('.tag')].map((it) => it.textContent).join() === 'first,second'"
          )
          assert.deepStrictEqual(problems, [])
        }),
      minutes(3)
    )

    it.effect(
      "has captions, chapters and pictures",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("bea")
          const { id, uuid } = yield* addVideo({ owner: "bea" })
          const { page, problems } = yield* openAs("bea", `/my/videos/${uuid}?part=captions`)
          // The files of videos of these tests are rows alone.
          yield* step("serve a file", () =>
            page.route("**/static/web-videos/**", (route) =>
              route.fulfill({ contentType: "video/mp4", path: `${clipFolder()}/web.mp4` })
            )
          )
          const rows = "[...document.querySelectorAll('.rows strong')].map((it) => it.textContent).join()"
          yield* waitFor(page, `${rows} === "English"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("add captions", async () => {
            await page.getByLabel("Language of the captions").selectOption("fr")
            const buffer = Buffer.from("WEBVTT\n\n00:00.000 --> 00:02.000\nBonjour\n")
            await page.setInputFiles("input[type=file]", { name: "fr.vtt", mimeType: "text/vtt", buffer })
          })
          yield* waitFor(page, `${rows} === "English,French"`)
          yield* step("delete the others", async () => {
            await page.getByRole("button", { name: "Delete: English" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click()
          })
          yield* waitFor(page, `${rows} === "French"`)

          yield* step("change them", () => page.getByRole("button", { name: "Edit: French" }).click())
          yield* waitFor(page, "document.querySelector('textarea')?.value.includes('Bonjour')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const area = page.getByLabel("WebVTT")
          yield* step("write a wrong time", async () => {
            await area.fill("WEBVTT\n\n0:00 --> 0:02\nBonjour\n")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, "document.body.textContent.includes('Line 3 must be two times')")
          yield* step("mend it, and add a cue", async () => {
            await area.fill("WEBVTT\n\n00:00.000 --> 00:02.000\nBonsoir\n")
            await page.getByRole("button", { name: "Add a cue" }).click()
          })
          yield* waitFor(page, "document.querySelector('textarea').value.includes('--> 00:00:03.000')")
          yield* step("write into it, and save", async () => {
            await area.pressSequentially("à demain")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, `${rows} === "French" && document.querySelector("textarea") === null`)
          yield* step("look at them again", () => page.getByRole("button", { name: "Edit: French" }).click())
          yield* waitFor(page, "document.querySelector('textarea')?.value.includes('à demain')")
          yield* step("leave them", () => page.getByRole("button", { name: "Discard" }).click())

          yield* step("go to the chapters", () => page.getByRole("tab", { name: "Chapters" }).click())
          yield* waitFor(page, "document.querySelector('textarea')")
          yield* step("write what is wrong", async () => {
            await page.getByLabel("Chapters").last().fill("0:00 Begin\nsomething")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, "document.body.textContent.includes('Line 2 must begin with a time')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* step("mend it", async () => {
            await page.getByLabel("Chapters").last().fill("0:00 Begin\n0:03 The river")
            await page.getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, said("2 chapters are saved."))
          assert.deepStrictEqual(
            yield* sql`select timecode, title from video_chapter where video_id = ${id} order by timecode`,
            [
              { timecode: 0, title: "Begin" },
              { timecode: 3, title: "The river" }
            ]
          )

          yield* step("go to the thumbnail", () => page.getByRole("tab", { name: "Thumbnail" }).click())
          yield* waitFor(page, "document.querySelector('.e-frame')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          const png = Buffer.from(
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
            "base64"
          )
          yield* step("take another", () =>
            page.setInputFiles("input[type=file]", { name: "a.png", mimeType: "image/png", buffer: png })
          )
          yield* waitFor(page, said("The thumbnail is changed."))

          yield* step("go to the file", () => page.getByRole("tab", { name: "File" }).click())
          yield* waitFor(page, "document.querySelector('.facts')?.textContent.includes('holiday.mov')")
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          assert.deepStrictEqual(problems, [])
        }),
      minutes(3)
    )
  }
)
