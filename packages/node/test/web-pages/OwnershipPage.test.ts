import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { defaultNotifications } from "../../src/people/user/UserPreferences.ts"
import { NotificationFanOut } from "../../src/social/notification/NotificationFanOut.ts"
import { ask, expectStatus, sharer } from "../people/collaborator/Sharing.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { takePictures } from "./support/Admins.ts"
import { heading, minutes, openAs, said } from "./support/MyPages.ts"
import { accessible } from "./support/WorkingAreas.ts"

const node = Layer.provideMerge(NotificationFanOut.layer, accountNode())

layer(node.pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "90 seconds" })(
  "offers and invitations",
  (it) => {
    it.effect(
      "go from the page of a video to the page of who gets it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const ann = yield* sharer("ann")
          const ben = yield* sharer("ben")
          const { id, uuid } = yield* addVideo({ owner: "ann" })
          const second = { name: "walks", displayName: "Walks" }
          expectStatus(yield* ask(ann, "POST", "/video-channels", second), 200)
          const channel = "/video-channels/walks"
          expectStatus(yield* ask(ann, "POST", `${channel}/give-ownership`, { username: "ben" }), 204)
          const invitation = { accountHandle: "ben" }
          const invite = `/video-channels/${ann.channel}/collaborators/invite`
          expectStatus(yield* ask(ann, "POST", invite, invitation), 200)
          const fanOut = yield* NotificationFanOut
          while (yield* fanOut.step({ defaults: defaultNotifications, mails: false }));

          const giver = yield* openAs("ann", `/my/videos/${uuid}?part=owner`)
          const give = step("give it", async () => {
            await giver.page.getByLabel("User name").fill("ben")
            await giver.page.getByRole("button", { name: "Give away" }).click()
            await giver.page.locator("dialog").getByRole("button", { name: "Give away" }).click()
          })
          yield* give
          const offered = "document.querySelector('main .notice')?.textContent.includes('Offered to')"
          yield* waitFor(giver.page, offered)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(giver.page)), [])
          yield* takePictures(giver.page, "give")
          yield* step("think again", () => giver.page.getByRole("button", { name: "Withdraw the offer" }).click())
          yield* waitFor(giver.page, "document.querySelector('main form')")
          yield* give
          yield* waitFor(giver.page, offered)
          assert.deepStrictEqual(giver.problems, [])

          const { page, problems } = yield* openAs("ben", "/my/ownership")
          yield* waitFor(
            page,
            `${heading} === "Offers and invitations" && document.querySelectorAll("main .rows > li").length === 3`
          )
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "ownership")
          yield* step("take the video", () => page.getByRole("button", { name: "Accept: Video of ann" }).click())
          yield* waitFor(page, "document.querySelector('dialog select')")
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* step("into a channel", () => page.locator("dialog").getByRole("button", { name: "Accept" }).click())
          yield* waitFor(page, said("Video of ann is yours now."))
          assert.deepStrictEqual(
            yield* sql`select channel_id = ${ben.channelId} as moved from video where id = ${id}`,
            [{ moved: true }]
          )
          yield* step("work on a channel", () => page.getByRole("button", { name: "Accept: Main ann channel" }).click())
          yield* waitFor(page, said("You work on Main ann channel now."))
          yield* step("refuse the other", async () => {
            await page.getByRole("button", { name: "Refuse: Walks" }).click()
            await page.locator("dialog").getByRole("button", { name: "Refuse" }).click()
          })
          yield* waitFor(page, "document.querySelector('main .rows') === null")
          assert.deepStrictEqual(problems, [])
        }),
      minutes(4)
    )
  }
)
