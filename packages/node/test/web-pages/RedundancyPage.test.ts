import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { farInstance } from "../federation/follow/FarInstance.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const rows = "[...document.querySelectorAll('tr[data-row]')]"

const strategies = [{ size: "20 MB", min_lifetime: "1 hour", strategy: "most-views" as const, min_views: 2 }]

layer(accountNode({ redundancy: { videos: { strategies } } }).pipe(Layer.provideMerge(Browser.layer)), {
  excludeTestServices: true,
  timeout: "120 seconds"
})("the page of mirrored videos", (it) => {
  it.effect(
    "mirrors a video by its address, and removes mirrors of either side",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const far = yield* farInstance
        const owner = far.actor("Person", "ann")
        const channel = far.actor("Group", "ann_channel", { attributedTo: [owner] })
        const video = far.video(1, channel, owner)
        const { page, problems } = yield* openAs("root", "/admin/redundancy")
        yield* waitFor(page, `${heading} === "Mirrored videos" && ${says("Nothing is mirrored here")}`)
        const mirror = (named: string) =>
          step(`mirror ${named}`, async () => {
            if ((await page.getByRole("dialog").count()) === 0)
              await page.getByRole("button", { name: "Mirror a video" }).click()
            await page.getByRole("dialog").getByLabel("Video").fill(named)
            await page.getByRole("dialog").getByRole("button", { name: "Mirror a video" }).click()
          })
        const refused = (text: string) =>
          waitFor(page, `document.querySelector("dialog .f-error")?.textContent.includes(${JSON.stringify(text)})`)
        yield* mirror(`${far.origin}/videos/watch/nothing`)
        yield* refused("No such video is found.")
        const own = yield* addVideo({ owner: "root" })
        yield* mirror(own.uuid)
        yield* refused("The video belongs to this instance")
        yield* takePictures(page, "redundancy-dialog")
        yield* mirror(video)
        yield* waitFor(page, `document.querySelector("dialog") === null`)
        const [job] = yield* sql<{ videoId: number }>`
          select video_id as "videoId" from job where type = 'video-redundancy'`
        // Nobody copies in this test: the row is what the job would leave.
        const copy = (videoId: number, strategy: string | null, of: string) => sql`
          insert into video_redundancy (video_id, streaming_playlist_id, actor_id, url, base_url, strategy, size, expires_at)
          select ${videoId}, s.id, a.id, ${`https://${of}/c`}, ${`https://${of}/hls`}, ${strategy}, 12000000,
            ${strategy === "manual" ? null : "2100-01-01"}::timestamptz
          from streaming_playlist s, actor a where s.video_id = ${videoId}
            and a.preferred_username = ${strategy === null ? "ann_channel" : "peertube"} limit 1`
        yield* copy(job!.videoId, "most-views", "localhost:9000")
        yield* waitFor(page, `${rows}.length === 1 && ${rows}[0].textContent.includes("Far video 1")`)
        const first = yield* step("read it", () => page.locator("tr[data-row]").innerText())
        for (const told of [`of ${far.host}`, "Most watched", "12 MB", "2100"]) assert.include(first, told)
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* takePictures(page, "redundancy-ours")
        yield* step("remove it", async () => {
          await page.getByRole("button", { name: "Remove the mirror of Far video 1" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
        })
        yield* waitFor(page, says("Nothing is mirrored here"))

        yield* copy(own.id, null, "far.example")
        yield* step("of ours", () => page.getByRole("tab", { name: "Mirrored by others" }).click())
        yield* waitFor(page, `${rows}.length === 1 && ${rows}[0].textContent.includes("on far.example")`)
        yield* takePictures(page, "redundancy-others")
        assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
        yield* step("remove what is selected", async () => {
          await page.getByLabel("Select all on this page").check()
          await page.locator(".bulk").getByRole("button", { name: "Remove" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
        })
        yield* waitFor(page, says("Nobody mirrors videos of this instance"))
        assert.deepStrictEqual(yield* sql`select 1 from video_redundancy`, [])
        // The browser notes the refusal of the video of this instance.
        assert.deepStrictEqual(
          problems.filter((it) => !it.includes("400 (Bad Request)")),
          []
        )
      }).pipe(Effect.scoped),
    minutes
  )
})
