import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import { baseUrl } from "../instance/about/TestNode.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { accountNode } from "./support/AccountNode.ts"
import { heading, openAs, takePictures } from "./support/Admins.ts"

const node = People.layer.pipe(Layer.provideMerge(accountNode()), Layer.provideMerge(Browser.layer))

/** Where the middles of two things are, in pixels. */
const measure = (first: string, second: string) => `(() => {
  const middle = (query) => {
    const { left, width } = [...document.querySelectorAll(query)].find((it) => it.getClientRects().length > 0).getBoundingClientRect()
    return left + width / 2
  }
  return {
    first: middle("${first}"),
    second: middle("${second}")
  }
})()`

interface Measured {
  readonly first: number
  readonly second: number
}

/** On a phone and on a desk nothing scrolls sideways, and on the desk the first thing is to the right of the second. */
const mirrored = Effect.fn("mirrored")(function* (page: Page, name: string, first: string, second: string) {
  yield* step("turn", () => page.evaluate(`document.documentElement.dir = "rtl"`))
  for (const width of [390, 1280]) {
    yield* step("resize", () => page.setViewportSize({ width, height: 800 }))
    const sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert.strictEqual(yield* step("measure", () => page.evaluate<number>(sideways)), 0, `${name} at ${width} px`)
  }
  for (const query of [first, second]) {
    yield* waitFor(page, `[...document.querySelectorAll("${query}")].some((it) => it.getClientRects().length > 0)`)
  }
  const it = yield* step("measure", () => page.evaluate<Measured>(measure(first, second)))
  assert.isAbove(it.first, it.second, name)
  yield* takePictures(page, `rtl-${name}`)
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("from right to left", (it) => {
  it.effect("public pages are mirrored", () =>
    Effect.gen(function* () {
      const base = yield* baseUrl
      const { uuid } = yield* addVideo({ owner: "owner" })
      yield* addVideo({ owner: "owner" })
      const { page, problems } = yield* newPage()
      for (const [name, path, first, second] of [
        ["home", "/", ".brand", ".nav"],
        ["watch", `/w/${uuid}`, "article h1", ".next"],
        ["channel", "/c/owner_channel", ".actor h1", ".actor-actions"],
        ["search", "/search?search=owner", ".brand", ".search"]
      ] as const) {
        yield* visit(page, `${base}${path}`)
        yield* mirrored(page, name, first, second)
      }
      // Players run from left to right everywhere.
      yield* visit(page, `${base}/w/${uuid}`)
      yield* waitFor(page, `document.querySelector(".kp-fullscreen") !== null`)
      yield* step("turn", () => page.evaluate(`document.documentElement.dir = "rtl"`))
      const player = yield* step("measure", () => page.evaluate<Measured>(measure(".kp-play", ".kp-fullscreen")))
      assert.isBelow(player.first, player.second)
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("the working areas are mirrored", () =>
    Effect.gen(function* () {
      yield* addVideo({ owner: "root" })
      const { page, problems } = yield* openAs("root", "/my/videos")
      yield* waitFor(page, `${heading} === "My videos" && document.querySelector("[data-row]") !== null`)
      yield* mirrored(page, "my-videos", ".side", ".page h1")
      const overview = yield* openAs("root", "/admin")
      yield* waitFor(overview.page, `${heading} === "Overview"`)
      yield* mirrored(overview.page, "overview", ".side", ".page h1")
      assert.deepStrictEqual([problems, overview.problems], [[], []])
    })
  )
})
