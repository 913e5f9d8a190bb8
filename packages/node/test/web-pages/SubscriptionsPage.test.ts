import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Browser, step, visit, waitFor } from "../support/Browser.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { follow } from "../people/account/Follows.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const titles = "[...document.querySelectorAll('.new-video .v-facts > a')].map((it) => it.textContent).join()"
const rows = "[...document.querySelectorAll('.followed a')].map((it) => it.textContent).join()"
const said = (words: string) =>
  `[...document.querySelectorAll('.toast p')].some((it) => it.textContent === ${JSON.stringify(words)})`

/** Groups of the user, each with the channels in it. */
const groupsOf = Effect.fnUntraced(function* (username: string) {
  const sql = yield* SqlClient
  return yield* sql`
    select g.name::text as name, array(
      select a.preferred_username::text from subscription_group_member m join actor_follow f on f.id = m.follow_id
        join actor a on a.id = f.target_actor_id where m.group_id = g.id order by 1
    ) as channels
    from subscription_group g join app_user u on u.id = g.user_id where u.username = ${username} order by lower(g.name::text)`
})

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "the page of subscriptions",
  (it) => {
    it.effect(
      "shows who follows nobody where to begin",
      () =>
        Effect.gen(function* () {
          yield* addUser("nia")
          const { page, problems } = yield* openAs("nia", "/my/subscriptions")
          yield* waitFor(page, `${heading} === "Subscriptions"`)
          yield* waitFor(page, says("No videos yet"))
          yield* step("see channels", () => page.getByRole("link", { name: "See your channels" }).click())
          yield* waitFor(page, says("You follow no channel yet"))
          const href = yield* step("look", () => page.getByRole("link", { name: "Find channels" }).getAttribute("href"))
          assert.strictEqual(href, "/videos/browse")
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )

    it.effect(
      "sorts channels into groups, by keys alone where one likes, and shows what is new in each",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ada")
          for (const [n, maker] of ["birds", "chess", "dance"].entries()) {
            yield* addUser(maker)
            yield* follow("ada", `${maker}_channel`, n)
            const { id } = yield* addVideo({ owner: maker })
            yield* sql`update video set published_at = now() - make_interval(days => ${n}) where id = ${id}`
          }
          yield* sql`update video_channel h set display_name = initcap(replace(a.preferred_username::text, '_channel', ''))
            from actor a where a.id = h.actor_id`
          const { page, problems } = yield* openAs("ada", "/my/subscriptions")
          yield* waitFor(page, `${titles} === "Video of birds,Video of chess,Video of dance"`)
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "subscriptions")

          yield* step("go to the channels by keys", async () => {
            await page.getByRole("tab", { name: "Videos" }).focus()
            await page.keyboard.press("ArrowRight")
          })
          yield* waitFor(page, `${rows} === "Birds,Chess,Dance" && location.search === "?view=channels"`)
          yield* step("choose two and make a group of them", async () => {
            await page.getByLabel("Select Birds").focus()
            await page.keyboard.press("Space")
            await page.getByLabel("Select Dance").focus()
            await page.keyboard.press("Space")
            await page.getByRole("button", { name: "Add to a group" }).focus()
            await page.keyboard.press("Enter")
            await page.getByRole("menuitem", { name: "New group" }).focus()
            await page.keyboard.press("Enter")
            await page.locator("dialog").getByLabel("Name").fill("Outside")
            await page.keyboard.press("Enter")
          })
          yield* waitFor(page, "document.querySelectorAll('.followed-groups .badge').length === 2")
          assert.deepStrictEqual(yield* groupsOf("ada"), [
            { name: "Outside", channels: ["birds_channel", "dance_channel"] }
          ])
          assert.deepStrictEqual(yield* step("ask axe about channels", () => accessible(page)), [])
          yield* takePictures(page, "subscriptions-channels")

          yield* step("choose the groups of one", async () => {
            await page.getByRole("button", { name: "Clear the selection" }).click()
            await page.getByRole("button", { name: "Actions for Chess" }).click()
            await page.getByRole("menuitem", { name: "Choose its groups" }).click()
            await page.getByRole("switch", { name: "Outside" }).check()
          })
          yield* waitFor(page, "document.querySelectorAll('.followed-groups .badge').length === 3")
          assert.deepStrictEqual(yield* step("ask axe about the dialog", () => accessible(page)), [])
          yield* takePictures(page, "subscriptions-groups")
          yield* step("not that one", async () => {
            await page.getByRole("switch", { name: "Outside" }).uncheck()
            await page.locator("dialog").getByRole("button", { name: "Close" }).click()
          })
          yield* waitFor(page, "document.querySelectorAll('.followed-groups .badge').length === 2")

          yield* step("a group of that name again", async () => {
            await page.getByRole("button", { name: "New group" }).click()
            await page.locator("dialog").getByLabel("Name").fill("OUTSIDE")
            await page.locator("dialog").getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(
            page,
            "document.querySelector('dialog .f-error').textContent === 'There is a group named OUTSIDE already'"
          )
          yield* step("another name", async () => {
            await page.locator("dialog").getByLabel("Name").fill("Quiet")
            await page.locator("dialog").getByRole("button", { name: "Save" }).click()
          })
          yield* step("show the first group", () => page.getByRole("link", { name: "Outside" }).click())
          yield* waitFor(page, `${rows} === "Birds,Dance" && location.search.includes("group=")`)
          yield* step("its videos", () => page.getByRole("tab", { name: "Videos" }).click())
          yield* waitFor(page, `${titles} === "Video of birds,Video of dance"`)
          // Both are in the address.
          yield* step("load it again", () => page.reload())
          yield* waitFor(page, `${titles} === "Video of birds,Video of dance"`)
          yield* step("an empty group", () => page.getByRole("link", { name: "Quiet" }).click())
          yield* waitFor(page, says("add them to Quiet"))
          yield* step("go back", () => page.goBack())
          yield* waitFor(page, `${titles} === "Video of birds,Video of dance"`)

          yield* step("rename it", async () => {
            await page.getByRole("button", { name: "Actions for Outside" }).click()
            await page.getByRole("menuitem", { name: "Rename" }).click()
            await page.locator("dialog").getByLabel("Name").fill("Open air")
            await page.locator("dialog").getByRole("button", { name: "Save" }).click()
          })
          yield* waitFor(page, "document.querySelector('.group-chip[aria-current]').textContent === 'Open air'")

          yield* step("take one out of it", async () => {
            await page.getByRole("tab", { name: "Channels" }).click()
            await page.getByLabel("Select Dance").check()
            await page.getByRole("button", { name: "Remove from a group" }).click()
            await page.getByRole("menuitem", { name: "Open air" }).click()
          })
          yield* waitFor(page, `${rows} === "Birds" && ${said("1 channel is in Open air no longer.")}`)
          yield* step("search among all", async () => {
            await page.getByRole("link", { name: "All", exact: true }).click()
            await page.getByRole("searchbox", { name: "Search in the channels" }).fill("hess")
          })
          yield* waitFor(page, `${rows} === "Chess"`)
          yield* step("follow it no longer", async () => {
            await page.getByRole("button", { name: "Actions for Chess" }).click()
            await page.getByRole("menuitem", { name: "Unsubscribe" }).click()
            await page.locator("dialog").getByRole("button", { name: "Unsubscribe" }).click()
          })
          yield* waitFor(page, says("You follow no channel here whose name has “hess” in it."))
          const follows = sql`select 1 from actor_follow f join actor a on a.id = f.actor_id where a.preferred_username = 'ada'`
          assert.lengthOf(yield* follows, 2)

          yield* step("delete the group", async () => {
            await page.getByRole("link", { name: "Open air" }).click()
            await page.getByRole("button", { name: "Actions for Open air" }).click()
            await page.getByRole("menuitem", { name: "Delete" }).click()
            await page.locator("dialog").getByRole("button", { name: "Delete" }).click()
          })
          yield* waitFor(page, `${rows} === "Birds,Dance" && location.search === "?view=channels"`)
          assert.deepStrictEqual(yield* groupsOf("ada"), [{ name: "Quiet", channels: [] }])
          yield* visit(page, `${yield* baseUrl}/my/subscriptions?group=2000000000`)
          yield* waitFor(page, says("This group is gone"))
          yield* step("see all", () => page.getByRole("link", { name: "Show all" }).click())
          yield* waitFor(page, `${titles} === "Video of birds,Video of dance"`)
          // The browser's own line about the name that was taken.
          assert.deepStrictEqual(
            problems.filter((it) => !it.includes("409 (Conflict)")),
            []
          )
        }),
      minutes
    )

    it.effect(
      "grows, and is as long as it was when one comes back",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("bob")
          yield* addUser("busy")
          yield* follow("bob", "busy_channel", 1)
          const { id } = yield* addVideo({ owner: "busy" })
          yield* sql`
            insert into video (uuid, channel_id, account_id, url, name, privacy, state, duration, published_at)
            select gen_random_uuid(), channel_id, account_id, url || '/' || n, 'Part ' || n, 1, 1, 5,
              now() - make_interval(hours => n)
            from video, generate_series(1, 59) n where id = ${id}`
          const { page, problems } = yield* openAs("bob", "/my/subscriptions")
          const count = "document.querySelectorAll('.new-video').length"
          yield* waitFor(page, `${count} >= 24`)
          yield* step("go on", async () => {
            for (let shown = 24; shown < 60; shown += 24) {
              await page
                .locator(".new-video")
                .nth(shown - 1)
                .scrollIntoViewIfNeeded()
              await page
                .locator(".new-video")
                .nth(Math.min(shown + 23, 59))
                .waitFor({ state: "attached" })
            }
          })
          yield* waitFor(page, `${count} === 60`)
          assert.strictEqual(yield* step("look", () => page.evaluate(`new Set(${titles}.split(",")).size`)), 60)
          yield* step("go elsewhere", () =>
            page.getByRole("navigation").getByRole("link", { name: "History" }).first().click()
          )
          yield* waitFor(page, `${heading} === "History"`)
          yield* step("come back", () => page.goBack())
          yield* waitFor(page, `${count} === 60 && scrollY > 0`)
          assert.deepStrictEqual(problems, [])
        }),
      minutes
    )
  }
)
