import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PageCommentsLayer } from "../../../src/web-pages/data/PageCommentsLayer.ts"
import { Follows } from "../../../src/federation/follow/Follows.ts"
import { followTasks } from "../../../src/federation/follow/FollowTasks.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { PageSignupLayer } from "../../../src/web-pages/data/PageSignupLayer.ts"
import { Pages } from "../../../src/web-pages/Pages.ts"
import { PageListsLayer } from "../../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageActorsLayer } from "../../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { login, send } from "../../instance/about/Client.ts"
import { baseUrl, rootPassword, testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { PagesOnly } from "../../web-pages/support/PagesOnly.ts"
import { Browser, newPage, sidewaysScroll, step, visit, waitFor } from "../../support/Browser.ts"
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
      PageListsLayer,
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

  it.effect("an administrator sees why a host has not received something, and has it tried again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const table of ["actor_follow", "delivery", "delivery_host"]) yield* sql.unsafe(`delete from ${table}`)
      yield* sql`
        insert into delivery_host (host, failures, failing_since, rest_until, last_error, last_status, last_success_at)
        select 'h' || n || '.example', 0, null, null, null, 204, now() from generate_series(1, 21) n
        union all values ('<b>.example', 3, now() - interval '8 days', now() + interval '5 hours',
          'https://x/inbox: TimedOut {"phase":"whole"}', null, now() - interval '9 days'),
          ('failing.example', 12, now() - interval '2 hours', now() + interval '1 hour',
          'https://failing.example/inbox: Unreachable {"code":"ECONNREFUSED"}', null, null),
          ('resting.example', 0, null, now() + interval '1 hour', 'The inbox answered 429.', 429, now())`
      yield* sql`
        with told as (
          insert into activity (uri, actor_id, type, body)
          select 'http://localhost:9000/n/' || n, ${yield* actorId("root_channel")}::integer, 'Create', '{}'
          from generate_series(1, 3) n returning id
        )
        insert into delivery (activity_id, inbox_url, host, lane, attempts, next_attempt_at, last_error, created_at)
        select id, 'https://failing.example/inbox', 'failing.example', (1 + id % 2)::smallint, 1, now() + interval '1 hour',
          'The inbox answered 502.', now() - interval '3 hours' from told`

      const { page, problems } = yield* openAsRoot("/admin/federation/hosts")
      const hosts = `[...document.querySelectorAll('[data-host]')]`
      yield* waitFor(page, `${hosts}.length === 20`)
      const first = yield* step("read the first", () => page.locator("[data-host]").first().innerText())
      for (const told of [
        "failing.example",
        "Does not answer",
        "For 2 hours (12 failures in a row)",
        "Nothing listens there.",
        "Never yet"
      ]) {
        assert.include(first, told)
      }
      assert.match(first, /[12] posts?, changes? (and|or) deletions?, [12] ratings?|[12] post, change or deletion/)

      // With the keyboard alone: what waits, then trying it.
      const failing = page.locator('[data-host="failing.example"]')
      yield* step("open what waits", async () => {
        await failing.locator("summary").focus()
        await page.keyboard.press("Enter")
      })
      yield* waitFor(page, `document.querySelectorAll('.waiting li').length === 3`)
      assert.match(
        yield* step("read what waits", () => failing.locator(".waiting").innerText()),
        /Create since .*, tried once, next .*\n?What stands before it does not reach it/
      )
      yield* step("try it", () => failing.getByRole("button", { name: "Try failing.example again now" }).press("Enter"))
      yield* waitFor(page, `document.querySelector('[data-outcome]').textContent.includes('is being tried')`)
      const [rest] = yield* sql<{ rests: boolean }>`
        select coalesce(rest_until > now(), false) as rests from delivery_host where host = 'failing.example'`
      assert.isFalse(rest!.rests)
      yield* waitFor(page, `${hosts}[0].textContent.includes('Next attemptNow')`)

      yield* step("the next page", () => page.getByRole("button", { name: "Show more" }).click())
      yield* waitFor(page, `${hosts}.length === 24`)
      yield* step("filter", () => page.getByLabel("Show", { exact: true }).selectOption("unavailable"))
      yield* waitFor(page, `${hosts}.length === 1 && location.search === '?state=unavailable'`)
      assert.match(
        yield* step("read it", () => page.locator("[data-host]").innerText()),
        /<b>\.example\s*Unavailable[^]*tried once a day[^]*It did not answer in time\./
      )
      yield* visit(page, `${yield* baseUrl}/admin/federation/hosts?search=REST&sort=host`)
      yield* waitFor(page, `${hosts}.length === 1 && ${hosts}[0].dataset.state === 'resting'`)
      yield* step("a small screen", () => page.setViewportSize({ width: 320, height: 640 }))
      yield* visit(page, `${yield* baseUrl}/admin/federation/hosts`)
      yield* waitFor(page, `${hosts}.length === 20`)
      assert.strictEqual(yield* sidewaysScroll(page), 0)
      yield* step("log out", () => page.evaluate("localStorage.clear()"))
      yield* visit(page, `${yield* baseUrl}/admin/federation/hosts`)
      yield* waitFor(page, `location.pathname === '/login'`)
      // This node has no sockets.
      assert.deepStrictEqual(
        problems.filter((it) => !it.includes("WebSocket")),
        []
      )
    }).pipe(Effect.scoped)
  )
})
