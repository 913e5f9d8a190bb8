import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { followTasks } from "../../../src/federation/follow/FollowTasks.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../../src/web-pages/VideoOrigins.ts"
import { login, send } from "../../instance/about/Client.ts"
import { baseUrl, rootPassword, testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { PagesOnly } from "../../web-pages/support/PagesOnly.ts"
import { Browser, newPage, step, visit, waitFor } from "../../support/Browser.ts"
import { farInstance } from "./FarInstance.ts"

const pageServices = PagesOnly.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      VideoOrigins.layer,
      PageListsLayer,
      PagePlaylistsLayer,
      BuiltClient
    )
  )
)

const node = Layer.merge(
  layerServe(Layer.mergeAll(testRoutes, Pages).pipe(Layer.provide(pageServices)), testOptions),
  followTasks
).pipe(Layer.provideMerge(testServices()), Layer.provideMerge(Browser.layer))

/** A page in the browser of the administrator. */
const openAsRoot = Effect.fnUntraced(function* (path: string) {
  const { page, problems } = yield* newPage()
  const { access_token, refresh_token } = yield* login("root", rootPassword)
  const base = yield* baseUrl
  yield* visit(page, `${base}/about`)
  const session = JSON.stringify({ access: access_token, refresh: refresh_token })
  yield* step("keep the session", () =>
    page.evaluate(`localStorage.setItem("kinora.session", ${JSON.stringify(session)})`)
  )
  yield* visit(page, base + path)
  return { page, problems }
})

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("Pages of federation", (it) => {
  it.effect("what others name by its address is found here by who has logged in", () =>
    Effect.gen(function* () {
      const far = yield* farInstance
      const owner = far.actor("Person", "ann")
      const channel = far.actor("Group", "ann_channel", { attributedTo: [owner] })
      const path = (uri: string) => `/remote-interaction?uri=${encodeURIComponent(uri)}`
      const stranger = yield* send(path(channel))
      assert.deepStrictEqual([stranger.status, stranger.text.includes("data-remote-interaction")], [200, true])
      assert.notInclude((yield* send(path(`https://x.example/"><script>alert(1)</script>`))).text, "<script>alert")
      for (const uri of ["javascript:alert(1)", "", "ann", "x".repeat(3000)]) {
        assert.strictEqual((yield* send(path(uri))).status, 400, uri)
      }
      const own = yield* send(path("http://localhost:9000/c/root_channel"))
      assert.deepStrictEqual([own.status, own.headers.get("location")], [302, "/c/root_channel"])

      const { page } = yield* openAsRoot(path(`acct:ann_channel@${far.host}`))
      yield* waitFor(page, `decodeURIComponent(location.pathname) === '/c/ann_channel@${far.host}'`)
      assert.strictEqual((yield* send(`/c/ann_channel@${far.host}`)).status, 200)
      assert.strictEqual((yield* send(`/c/never_heard_of@${far.host}`)).status, 404)
    }).pipe(Effect.scoped)
  )
})
