import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { get } from "./support/Fetch.ts"
import { PagesServer } from "./support/PagesServer.ts"
import { makeVideo } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

layer(PagesServer.pipe(Layer.provideMerge(NodeHttpClient.layerUndici)))("other pages", (it) => {
  it.effect("an empty instance tells its operator what to do", () =>
    Effect.gen(function* () {
      const { origin } = yield* World
      const { status, text } = yield* get("/")
      assert.strictEqual(status, 200)
      assert.include(text, "Nothing to watch yet")
      assert.include(text, `href="/my/upload"`)
      assert.include(text, `href="/admin/welcome"`)
      assert.include(text, `ORIGIN=${origin}`)
      assert.include(text, "/api/v1/videos/upload")
    })
  )

  it.effect("lists page through all videos, and a strange start is the first page (WEB-02)", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      for (let id = 1; id <= 30; id++) add(makeVideo(origin, id, { views: id }))
      const cardsOf = (text: string) => text.match(/<li class="card"/g)?.length ?? 0
      const first = yield* get("/")
      assert.strictEqual(cardsOf(first.text), 24)
      assert.include(first.text, `href="/?start=24"`)
      const second = yield* get("/?start=24")
      assert.strictEqual(cardsOf(second.text), 6)
      assert.notInclude(second.text, "Show more")
      for (const start of ["-1", "1e3", "<script>alert(1)</script>", "x", "24&start=3"]) {
        const { status, text } = yield* get(`/?start=${start}`)
        assert.strictEqual(status, 200)
        assert.strictEqual(cardsOf(text), 24)
        assert.notInclude(text, "alert(1)")
      }
      const trending = yield* get("/videos/trending")
      assert.match(trending.text, /<ul class="cards"><li class="card" data-card="30">.*?Video 30</)
      for (const path of ["/videos/local", "/videos/recently-added"]) assert.strictEqual((yield* get(path)).status, 200)
    })
  )

  it.effect("what is searched for is found, paged through, and stands in its field as it was typed", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      for (let id = 41; id <= 70; id++) add(makeVideo(origin, id, { name: `A "quoted" <b>hare</b> ${id}` }))
      const text = `"quoted" <b>hare</b>`
      const first = yield* get(`/search?search=${encodeURIComponent(text)}`)
      assert.include(first.text, "30 videos")
      assert.include(first.text, `value="&quot;quoted&quot; &lt;b&gt;hare&lt;/b&gt;"`)
      assert.notInclude(first.text, "<b>hare")
      const next = /<a class="more" href="([^"]+)"/.exec(first.text)![1]!.replaceAll("&amp;", "&")
      assert.strictEqual(next, `/search?search=${encodeURIComponent(text)}&start=24`)
      assert.strictEqual((yield* get(next)).text.match(/<li class="card"/g)?.length, 6)
      assert.include((yield* get("/search?search=nothing+like+it")).text, "No video was found")
      assert.notInclude((yield* get("/search?search=nothing+like+it")).text, "/remote-interaction")
      // What may be on an instance that this one has not met can be looked for there.
      for (const address of ["ann_channel@videos.example:9000", "https://videos.example/w/abc"]) {
        const link = `/remote-interaction?uri=${encodeURIComponent(address)}`
        assert.include((yield* get(`/search?search=${encodeURIComponent(address)}`)).text, link)
      }
      for (const query of ["", "?search=", "?search=%20", "?search=a&search=b"]) {
        const { status, text } = yield* get(`/search${query}`)
        assert.strictEqual(status, 200)
        assert.include(text, "Type what you are looking for")
      }
      assert.strictEqual((yield* get(`/search?search=${"%00%F0".repeat(300)}`)).status, 200)
    })
  )

  it.effect("without mail and registration, nothing leads to them", () =>
    Effect.gen(function* () {
      const login = (yield* get("/login")).text
      assert.include(login, `data-kind="login"`)
      for (const path of ["/signup", "/reset-password", "/verify-account"]) assert.notInclude(login, `href="${path}`)
      for (const path of ["/reset-password", "/verify-account/ask-send-email"]) {
        const { status, text } = yield* get(path)
        assert.strictEqual(status, 200)
        assert.include(text, "sends no mail")
        assert.notInclude(text, "data-form")
      }
    })
  )

  it.effect("accounts and channels have pages at all their addresses", () =>
    Effect.gen(function* () {
      const { origin } = yield* World
      const { host } = new URL(origin)
      const account = [
        "/a/root",
        "/accounts/root",
        "/@root",
        `/a/root@${host}`,
        "/a/root/videos",
        "/a/root/video-channels"
      ]
      const channel = [
        "/c/root_channel",
        "/video-channels/root_channel",
        "/@root_channel",
        `/c/root_channel@${host}`,
        "/c/root_channel/videos"
      ]
      for (const path of account) {
        const { status, text } = yield* get(path)
        assert.strictEqual(status, 200, path)
        assert.include(text, `<meta property="og:type" content="profile">`)
        assert.include(text, `<link rel="canonical" href="${origin}/a/root">`)
        assert.include(text, "&lt;b&gt;Hello&lt;/b&gt;")
        assert.include(text, `rel="nofollow noopener ugc"`)
      }
      for (const path of channel) {
        const { status, text } = yield* get(path)
        assert.strictEqual(status, 200, path)
        assert.include(text, "<title>Peach Open Movies - Kinora</title>")
      }
      const missing = [
        "/a/nobody",
        "/c/root",
        "/@nobody",
        "/a/root@elsewhere.example",
        "/a/%3Cscript%3E",
        `/a/${"x".repeat(500)}`
      ]
      for (const path of missing) assert.strictEqual((yield* get(path)).status, 404, path)
    })
  )

  it.effect("playlists are not there yet, and say so in a page", () =>
    Effect.gen(function* () {
      for (const path of ["/w/p/1", "/videos/watch/playlist/1", "/video-playlists/embed/1"]) {
        const { headers, status } = yield* get(path)
        assert.strictEqual(status, 404)
        assert.include(headers["content-type"] ?? "", "text/html")
      }
      assert.strictEqual((yield* get("/video-playlists/test-embed")).status, 200)
      assert.include((yield* get("/videos/test-embed")).text, "<iframe")
    })
  )

  it.effect("what is nowhere is a page for browsers and a problem document for programs", () =>
    Effect.gen(function* () {
      const page = yield* get("/no/such/place", { accept: "text/html,*/*;q=0.8" })
      assert.strictEqual(page.status, 404)
      assert.include(page.headers["content-type"] ?? "", "text/html")
      const program = yield* get("/no/such/place", { accept: "*/*" })
      assert.strictEqual(program.status, 404)
      assert.include(program.headers["content-type"] ?? "", "application/problem+json")
      const api = yield* get("/api/v1/nothing", { accept: "text/html" })
      assert.include(api.headers["content-type"] ?? "", "application/problem+json")
    })
  )

  it.effect("browser files are immutable, compressed, and nothing else is reachable beside them", () =>
    Effect.gen(function* () {
      const { origin } = yield* World
      const { text } = yield* get("/w/1")
      const addresses = [...text.matchAll(/(?:href|src)="(\/client\/assets\/[^"]+)"/g)].map((it) => it[1]!)
      assert.isAtLeast(addresses.length, 3)
      for (const address of addresses) {
        const plain = yield* get(address)
        assert.strictEqual(plain.status, 200, address)
        assert.strictEqual(plain.headers["cache-control"], "public, max-age=31536000, immutable")
        assert.strictEqual(plain.headers["vary"], "Accept-Encoding")
        assert.match(address, /-[A-Z0-9]{8}\.(?:js|css)$/)
        const sizes = yield* Effect.forEach(["br", "gzip, br;q=0", "identity"], (encoding) =>
          Effect.map(
            HttpClient.get(origin + address, { headers: { "accept-encoding": encoding } }),
            (it) => it.headers["content-encoding"]
          )
        )
        assert.deepStrictEqual(sizes, ["br", "gzip", undefined])
      }
      for (const path of [
        "/client/assets/..%2fmanifest.json",
        "/client/assets/%2e%2e/manifest.json",
        "/client/icons/..%2f..%2fpackage.json",
        "/client/assets/nothing.js"
      ]) {
        assert.strictEqual((yield* get(path)).status, 404, path)
      }
      assert.strictEqual((yield* get("/favicon.ico")).headers["content-type"], "image/png")
      assert.strictEqual((yield* get("/client/icons/icon.svg")).headers["content-type"], "image/svg+xml")
    })
  )
})
