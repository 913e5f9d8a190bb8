import { assert, layer } from "@effect/vitest"
import { bencode } from "@kinora/torrent/metainfo/BencodeWriter"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { accountNode } from "./support/AccountNode.ts"
import { takePictures } from "./support/Admins.ts"
import { addUser, minutes, openAs, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

const enabled = {
  import: {
    videos: { http: { enabled: true }, torrent: { enabled: true } },
    video_channel_synchronization: { enabled: true }
  }
}

const torrent = Buffer.from(
  bencode({ info: { name: "walk.mp4", "piece length": 16_384, pieces: Buffer.alloc(20), length: 99 } })
)

/** Words of the first row of the list. */
const first = "document.querySelector('main tbody tr[data-row]')?.textContent ?? ''"
const rows = "document.querySelectorAll('main tbody tr[data-row]').length"

const act = (page: Page, name: string) =>
  step(name, async () => {
    await page.getByRole("button", { name: "Actions for" }).first().click()
    await page.getByRole("menuitem", { name }).click()
  })

layer(accountNode(enabled).pipe(Layer.provideMerge(Browser.layer)), {
  excludeTestServices: true,
  timeout: "90 seconds"
})("the page of imports", (it) => {
  it.effect(
    "imports by address and torrent, shows what becomes of it live, and follows channels",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* addUser("ada")
        const { page, problems } = yield* openAs("ada", "/my/imports")
        const source = page.getByLabel("Address or magnet link of the video")
        yield* step("say nothing of use", async () => {
          await source.fill("a walk")
          await page.getByRole("button", { name: "Import", exact: true }).click()
        })
        yield* waitFor(page, "document.querySelector('main .f-error')?.textContent.startsWith('This is no address')")
        yield* step("give an address, to be seen by few", async () => {
          await source.fill("https://127.0.0.1:9/films/a.mp4")
          await page.getByLabel("Who may see it").selectOption("2")
          await page.getByRole("button", { name: "Import", exact: true }).click()
        })
        yield* waitFor(page, `${said("The import has begun.")} && (${first}).includes("Waiting")`)
        assert.deepStrictEqual(yield* sql`select privacy from video`, [{ privacy: 2 }])
        const file = { name: "walk.torrent", mimeType: "application/x-bittorrent", buffer: torrent }
        yield* step("give a torrent", () => page.locator("input[type=file]").setInputFiles(file))
        yield* waitFor(page, `${rows} === 2 && (${first}).includes("Torrent walk.torrent")`)

        const why = "Nobody who has the torrent could be found"
        yield* sql`update video_import set state = 3, error = ${why}, attempts = 2 where torrent_name is not null`
        yield* waitFor(page, `(${first}).includes(${JSON.stringify(why)}) && (${first}).includes("Failed")`)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* takePictures(page, "imports")
        yield* act(page, "Try again")
        yield* waitFor(page, `${said("The import is tried again.")} && (${first}).includes("Waiting")`)
        yield* act(page, "Cancel the import")
        yield* step("say yes", () => page.locator("dialog").getByRole("button", { name: "Cancel the import" }).click())
        yield* waitFor(page, `(${first}).includes("Cancelled")`)
        yield* act(page, "Take off the list")
        yield* waitFor(page, `${rows} === 1 && (${first}).includes("127.0.0.1")`)
        yield* step("search", () => page.getByRole("searchbox", { name: "Search in your imports" }).fill("zebra"))
        yield* waitFor(page, "document.querySelector('main .empty')?.textContent.includes('zebra')")

        yield* step("follow a channel", async () => {
          await page.getByRole("tab", { name: "Channels" }).click()
          await page.getByLabel("Address of the channel").fill("https://127.0.0.1:9/walks")
          await page.getByLabel("What is fetched").selectOption("all")
          await page.getByRole("button", { name: "Follow the channel" }).click()
        })
        yield* waitFor(page, `${rows} === 1 && (${first}).includes("Waits for its first look")`)
        const wanted = sql`select external_channel_url as url, full_wanted_at is not null as whole from video_channel_sync`
        assert.deepStrictEqual(yield* wanted, [{ url: "https://127.0.0.1:9/walks", whole: true }])
        assert.deepStrictEqual(yield* step("ask axe about channels", () => accessible(page)), [])
        yield* takePictures(page, "syncs")
        yield* act(page, "Fetch all now")
        yield* waitFor(page, said("All videos that are not here yet will be fetched."))
        yield* act(page, "Follow no longer")
        yield* step("say yes", () => page.locator("dialog").getByRole("button", { name: "Follow no longer" }).click())
        yield* waitFor(page, "document.querySelector('main .empty')?.textContent.includes('No channel followed')")

        yield* step("have it all switched off", async () => {
          await page.route("**/api/v1/config", async (route) => {
            const answer = await route.fetch()
            const config: unknown = await answer.json()
            const off = { enabled: false }
            const none = { videos: { http: off, torrent: off }, videoChannelSynchronization: off, users: off }
            await route.fulfill({ response: answer, json: Object.assign({}, config, { import: none }) })
          })
          await page.reload()
        })
        yield* waitFor(
          page,
          "document.querySelector('main .notice')?.textContent.includes('imports no channels') && document.querySelector('main form') === null"
        )
        assert.deepStrictEqual(problems, [])
      }),
    minutes(4)
  )
})
