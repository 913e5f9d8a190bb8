import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { PageCommentsLayer } from "../../src/comments/PageCommentsLayer.ts"
import { Follows } from "../../src/follows/Follows.ts"
import { followTasks } from "../../src/follows/FollowTasks.ts"
import { layerServe } from "../../src/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../src/instance/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../src/instance/PageSignupLayer.ts"
import { Pages } from "../../src/pages/Pages.ts"
import { PagePlaylistsLayer } from "../../src/playlists/PagePlaylistsLayer.ts"
import { PageActorsLayer } from "../../src/users/PageActorsLayer.ts"
import { PageVideosLayer } from "../../src/videos/PageVideosLayer.ts"
import { login, send } from "../instance/Client.ts"
import { baseUrl, rootPassword, testOptions, testRoutes, testServices } from "../instance/TestNode.ts"
import { BuiltClient } from "../pages/support/BuiltClient.ts"
import { PagesOnly } from "../pages/support/PagesOnly.ts"
import { Browser, newPage, step, visit, waitFor } from "../support/Browser.ts"
import { actorId, farActor } from "./FarActors.ts"
import { eventually, farInstance } from "./FarInstance.ts"

const pageServices = PagesOnly.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PageInstanceLayer,
      PageSignupLayer,
      PageActorsLayer,
      PageCommentsLayer,
      PageVideosLayer,
      PagePlaylistsLayer,
      BuiltClient
    )
  )
)

const node = Layer.merge(
  layerServe(Layer.mergeAll(testRoutes, Pages).pipe(Layer.provide(pageServices)), testOptions),
  followTasks
).pipe(
  Layer.provideMerge(testServices({ followers: { instance: { manual_approval: true } } })),
  Layer.provideMerge(Browser.layer)
)

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
  it.effect("an administrator follows others, and lets followers in or not", () =>
    Effect.gen(function* () {
      const follows = yield* Follows
      const far = yield* farInstance
      far.actor("Application", "peertube")
      for (const host of ["one.example", "two.example"]) {
        const id = yield* farActor("peertube", { type: "Application", host })
        yield* follows.received({ id: `https://${host}/f` }, { id }, yield* actorId("peertube"))
      }
      const { page, problems } = yield* openAsRoot("/admin/federation")
      const rows = (side: string) => `[...document.querySelectorAll('[data-table="${side}"] tbody tr')]`
      yield* waitFor(page, `${rows("followers")}.length === 2`)
      const press = (host: string, name: string) =>
        step(`${name} ${host}`, () => page.getByRole("row", { name: host }).getByRole("button", { name }).click())
      yield* press("one.example", "Accept")
      yield* waitFor(page, `${rows("followers")}.some((it) => /one.example.*Accepted/.test(it.textContent))`)
      yield* press("two.example", "Reject")
      yield* waitFor(page, `${rows("followers")}.length === 1`)

      const others = page.getByLabel("Follow instances")
      yield* step("a wrong host", () => others.fill("no_host"))
      yield* step("send it", () => page.getByRole("button", { name: "Follow", exact: true }).click())
      yield* waitFor(page, `document.querySelector('[data-follow-others] .outcome').textContent.includes('hosts[0]')`)
      yield* step("a host", () => others.fill(far.host))
      yield* step("send it", () => page.getByRole("button", { name: "Follow", exact: true }).click())
      yield* eventually(send("/api/v1/server/following"), ({ json }) => json.total === 1)
      yield* step("load it again", () => page.reload())
      yield* waitFor(page, `${rows("following")}.some((it) => it.textContent.includes('${far.host}'))`)
      yield* press(far.host, "Unfollow")
      yield* waitFor(page, `${rows("following")}.length === 0`)
      assert.deepStrictEqual(
        problems.filter((it) => it.includes("Content Security Policy")),
        []
      )
    }).pipe(Effect.scoped)
  )

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
