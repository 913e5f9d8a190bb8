import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"

const logIn = Effect.fn("logIn")(function* (page: Page, name: string) {
  yield* visit(page, `${yield* baseUrl}/login`)
  yield* step("fill in", async () => {
    await page.fill("[name=username]", name)
    await page.fill("[name=password]", "password1")
    await page.click("button[type=submit]")
  })
  // The page goes on to the first one by itself, and would interrupt the next visit.
  yield* waitFor(
    page,
    "localStorage.getItem('kinora.session') !== null && location.pathname === '/' && document.readyState === 'complete'"
  )
})

const node = Layer.mergeAll(Browser.layer, People.layer).pipe(Layer.provideMerge(accountNode()))

layer(node, { excludeTestServices: true, timeout: 120_000 })("the page of a video that could not be made", (it) => {
  it.effect("says so to its owner alone, who tries again with one click", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const error = "<img src=x onerror=alert(1)> ended: " + "x".repeat(80)
      for (const { privacy, state } of [
        { privacy: 1, state: 1 },
        { privacy: 3, state: 7 }
      ]) {
        const { id, uuid } = yield* addVideo({ owner: "owner", privacy, state })
        yield* sql`insert into job (type, payload, video_id, state, error, attempts, max_attempts, finished_at)
          values ('video-transcoding', ${JSON.stringify({ videoId: id })}::jsonb, ${id}, 'failed', ${error}, 12, 12, now())`
        const address = `${yield* baseUrl}/w/${uuid}`

        const owner = yield* newPage({ viewport: { width: 320, height: 700 } })
        yield* logIn(owner.page, "owner")
        yield* visit(owner.page, address)
        yield* waitFor(owner.page, `document.querySelector(".processing button") !== null`)
        const notice = owner.page.locator(".processing")
        assert.include(yield* step("read", () => notice.innerText()), `could not be made. The reason: ${error}`)
        assert.isAtMost(yield* sidewaysScroll(owner.page), 0)
        yield* step("try again", () => owner.page.getByRole("button", { name: "Try again now" }).click())
        yield* waitFor(owner.page, `document.querySelector(".processing button") === null`)
        assert.include(yield* step("read", () => notice.innerText()), "are being made again")
        const jobs = yield* sql`select state, attempts from job where video_id = ${id} order by id`
        assert.deepStrictEqual(jobs, [
          { state: "failed", attempts: 12 },
          { state: "waiting", attempts: 0 }
        ])
        yield* visit(owner.page, address)
        yield* waitFor(owner.page, `document.querySelector("h1[data-processing]") !== null`)

        if (state === 1) {
          const other = yield* newPage()
          yield* logIn(other.page, "other")
          const asked: Array<string> = []
          other.page.on("request", (request) => asked.push(request.url()))
          yield* visit(other.page, address)
          yield* step("scroll", () => other.page.locator(".comments").scrollIntoViewIfNeeded())
          yield* waitFor(other.page, `document.querySelector(".comment-form, .comment-tools") !== null`)
          assert.isFalse(asked.some((url) => url.endsWith("/processing")))
        }
      }
    }).pipe(Effect.scoped)
  )
})
