import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { accountOf, report } from "../social/abuse/AbuseClient.ts"
import { Browser, step, waitFor } from "../support/Browser.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { addUser, heading, minutes, openAs, says, takePictures, tokenOf } from "./support/Admins.ts"
import { accessible } from "./support/WorkingAreas.ts"

const matters = "[...document.querySelectorAll('.matter')].map((it) => it.textContent).join()"

layer(accountNode().pipe(Layer.provideMerge(Browser.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
  "overview of those who moderate and run",
  (it) => {
    it.effect(
      "shows what needs attention and leads there",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* addUser("ann")
          yield* addUser("mod", 1)
          yield* report(yield* tokenOf("ann"), { reason: "Writes spam", account: { id: yield* accountOf("mod") } })
          yield* sql`insert into job (type, payload, state, error) values ('video-transcoding', '{}', 'failed', 'No')`
          const waiting = yield* addVideo({ owner: "ann" })
          yield* sql`insert into video_blacklist (video_id, type) values (${waiting.id}, 2)`
          const { page, problems } = yield* openAs("root", "/admin")
          yield* waitFor(
            page,
            `${heading} === "Overview" && ${matters}.includes("1open report,1new video waits for a review,0videos held for their tags,0people ask for an account,1failed job") && ${says("Users")} && document.querySelector("table") !== null`
          )
          assert.deepStrictEqual(yield* step("ask axe", () => accessible(page)), [])
          yield* takePictures(page, "overview")
          yield* step("go to the videos that wait", () =>
            page.getByRole("link", { name: "waits for a review" }).click()
          )
          yield* waitFor(
            page,
            `${heading} === "Blocked videos" && location.search === "?type=2" && document.querySelectorAll("[data-row]").length === 1`
          )
          yield* step("go back", () => page.goBack())
          yield* waitFor(page, `${heading} === "Overview"`)
          yield* step("go to the failed jobs", () => page.getByRole("link", { name: "failed job" }).click())
          yield* waitFor(page, `${heading} === "Jobs" && location.search === "?state=failed"`)
          assert.deepStrictEqual(problems, [])

          const moderator = yield* openAs("mod", "/admin")
          yield* waitFor(
            moderator.page,
            `${heading} === "Overview" && ${says("Users")} && ${matters}.includes("1new video waits for a review")`
          )
          assert.isFalse(
            yield* step("look", () => moderator.page.getByRole("link", { name: "failed job" }).isVisible())
          )
          assert.isFalse(
            yield* step("look", () => moderator.page.locator(".side").getByRole("link", { name: "Jobs" }).isVisible())
          )
          assert.deepStrictEqual(moderator.problems, [])
        }),
      minutes
    )
  }
)
