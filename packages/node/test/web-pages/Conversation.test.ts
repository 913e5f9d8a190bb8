import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Page } from "playwright-core"
import { rate, say } from "../social/comment/Talk.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"

const hostile = [
  "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><svg onload=window.hacked=1>",
  "[a](javascript:window.hacked=1) <javascript:window.hacked=1> [b](data:text/html,<script>parent.hacked=1</script>)",
  '[c](https://ok.example/"onmouseover="window.hacked=1) **bold** `</code><script>window.hacked=1</script>`',
  "\u202e\u200bhidden [d](<java\tscript:window.hacked=1>) &lt;script&gt;window.hacked=1&lt;/script&gt;"
]

const logIn = Effect.fn("logIn")(function* (page: Page, name: string) {
  yield* visit(page, `${yield* baseUrl}/login`)
  yield* step("fill in", async () => {
    await page.fill("[name=username]", name)
    await page.fill("[name=password]", "password1")
    await page.click("button[type=submit]")
  })
  yield* waitFor(page, "localStorage.getItem('kinora.session') !== null")
})

const node = Layer.mergeAll(Browser.layer, People.layer).pipe(Layer.provideMerge(accountNode()))

layer(node, { excludeTestServices: true, timeout: 120_000 })("the conversation of a watch page", (it) => {
  it.effect("WEB-03, WEB-04: nothing that is written runs, with the browser code or without it", () =>
    Effect.gen(function* () {
      const { other } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      for (const text of hostile) yield* say(other, uuid, text)
      for (const javaScriptEnabled of [false, true]) {
        const { page } = yield* newPage({ javaScriptEnabled })
        const inside: Array<string> = []
        page.on("console", (message) => inside.push(message.text()))
        yield* visit(page, `${yield* baseUrl}/w/${uuid}`)
        if (javaScriptEnabled) {
          yield* logIn(page, "owner")
          yield* visit(page, `${yield* baseUrl}/w/${uuid}`)
          yield* step("scroll", () => page.locator(".comments").scrollIntoViewIfNeeded())
          yield* waitFor(
            page,
            `document.querySelectorAll(".comment").length === 4 && document.querySelector(".comment-form")`
          )
          // What makes links of texts is fetched after the comments.
          yield* waitFor(page, `document.querySelector(".comment-text a") !== null`)
          assert.isUndefined(yield* step("look", () => page.evaluate<unknown>("window.hacked")))
        }
        const found = yield* step("read", () =>
          page.locator(".comment-text a").evaluateAll((all) => all.map((it) => it.getAttribute("href") ?? ""))
        )
        assert.isAbove(found.length, 0)
        for (const href of found) assert.match(href, /^https:\/\//)
        assert.strictEqual(yield* step("count", () => page.locator(".comment-text :is(script, img, svg)").count()), 0)
        assert.include(
          yield* step("read text", () => page.locator(".comment-list").innerText()),
          "<script>window.hacked"
        )
        // Files of these videos are at the address the node thinks it has; nothing else is refused.
        const refused = inside.filter((it) => it.includes("Content Security Policy") && !it.includes("media-src"))
        assert.deepStrictEqual(refused, [])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("a user writes, answers, reads on, approves, rates and deletes", () =>
    Effect.gen(function* () {
      const { moderator, other } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const sql = yield* SqlClient
      const thread = yield* say(other, uuid, "first *thread*")
      for (let n = 1; n <= 12; n++) yield* say(moderator, uuid, `reply ${n}`, thread.id)
      yield* sql`update video set comments_policy = 3 where id = ${id}`
      yield* say(other, uuid, "to be approved")
      yield* sql`update video set comments_policy = 1 where id = ${id}`
      yield* rate(uuid, other, "like")

      const { page, problems } = yield* newPage({ viewport: { width: 320, height: 700 } })
      yield* visit(page, `${yield* baseUrl}/w/${uuid}`)
      yield* step("scroll", () => page.locator(".comments").scrollIntoViewIfNeeded())
      yield* waitFor(page, `document.querySelector(".comment-tools a[href='/login']") !== null`)
      assert.strictEqual(yield* step("count", () => page.locator(".comment").count()), 1)
      yield* logIn(page, "owner")
      yield* visit(page, `${yield* baseUrl}/w/${uuid}`)
      yield* step("scroll", () => page.locator(".comments").scrollIntoViewIfNeeded())
      yield* waitFor(page, `document.querySelectorAll(".comment").length === 2 && document.querySelector(".held")`)

      const like = page.locator("[data-rate=like]")
      yield* step("like", () => like.click())
      yield* waitFor(page, `document.querySelector("[data-rate=like] [data-count]").textContent === "2"`)
      assert.strictEqual(yield* step("pressed", () => like.getAttribute("aria-pressed")), "true")

      yield* step("approve", () => page.getByRole("button", { name: "Approve" }).click())
      yield* waitFor(page, `document.querySelector(".held") === null`)
      yield* step("open the thread", () => page.getByRole("button", { name: "Show 12 replies" }).click())
      yield* waitFor(page, `document.querySelectorAll(".comment").length === 12`)
      yield* step("read on", () => page.getByRole("button", { name: "Show 2 replies" }).click())
      yield* waitFor(page, `document.querySelectorAll(".comment").length === 14`)

      const answered = page.locator(`#comment-${thread.id} > .comment-body > .comment-actions`)
      yield* step("reply", () => answered.getByRole("button", { name: "Reply" }).click())
      yield* step("write", () => page.keyboard.type("my **answer**"))
      yield* step("send", () => page.locator(".comment-body form button[type=submit]").click())
      yield* waitFor(page, `document.querySelectorAll(".comment").length === 15`)
      assert.strictEqual(yield* step("read", () => page.locator(".comment-replies strong").innerText()), "answer")

      yield* step("write", () => page.fill(".comment-tools textarea", "a thread of mine"))
      yield* step("send", () => page.click(".comment-tools button[type=submit]"))
      yield* waitFor(page, `document.querySelector(".comment-text").textContent === "a thread of mine"`)
      assert.isAtMost(yield* sidewaysScroll(page), 0)

      const own = page.locator(".comment").first()
      yield* step("delete", () => own.getByRole("button", { name: "Delete", exact: true }).click())
      yield* step("confirm", () => own.getByRole("button", { name: "Delete this comment" }).click())
      yield* waitFor(page, `document.querySelectorAll(".comment").length === 15`)
      assert.strictEqual(yield* step("count", () => page.locator(".comments h2 [data-count]").innerText()), "15")
      const [truth] = yield* sql<{ comments: number; likes: number }>`
        select comments, likes from video where id = ${id}`
      assert.deepStrictEqual({ ...truth! }, { comments: 15, likes: 2 })
      assert.deepStrictEqual(
        problems.filter((problem) => !/404|media|localhost:9000/.test(problem)),
        []
      )
    }).pipe(Effect.scoped)
  )
})
