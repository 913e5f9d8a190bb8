import { assert, layer } from "@effect/vitest"
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { get } from "./support/Fetch.ts"
import { PagesServer, webFiles } from "./support/PagesServer.ts"
import { makeVideo, type VideoSketch } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

layer(PagesServer.pipe(Layer.provideMerge(NodeHttpClient.layerUndici)))("video pages", (it) => {
  it.effect("a public video has complete metadata", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const image = { fileUrl: `${origin}/lazy-static/thumbnails/a.jpg`, width: 850, height: 480, aspectRatio: "16:9" }
      const video = add(
        makeVideo(origin, 1, { name: "First light", description: "Dawn at sea.", tags: ["sea"], thumbnails: [image] })
      )
      const { headers, status, text } = yield* get(`/w/${video.shortUUID}`)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
      assert.strictEqual(headers["vary"], "Accept, Accept-Language, Cookie")
      assert.strictEqual(headers["content-language"], "en")
      assert.strictEqual(headers["cache-control"], "public, max-age=0")
      for (const expected of [
        `<title>First light - Kinora</title>`,
        `<meta property="og:platform" content="Kinora">`,
        `<meta property="og:title" content="First light">`,
        `<meta property="og:image" content="${image.fileUrl}">`,
        `<meta property="og:image:width" content="850">`,
        `<meta property="og:video" content="${origin}/videos/embed/${video.uuid}">`,
        `<meta property="og:video:tag" content="sea">`,
        `<meta name="twitter:card" content="player">`,
        `<meta name="fediverse:creator" content="@${video.channel.name}@${video.channel.host}">`,
        `<meta name="description" content="Dawn at sea.">`,
        `<link rel="canonical" href="${origin}/w/${video.shortUUID}">`,
        `href="${origin}/services/oembed?url=${encodeURIComponent(`${origin}/w/${video.shortUUID}`)}"`,
        `"@type":"VideoObject"`,
        `"duration":"PT0H0M10S"`
      ]) {
        assert.include(text, expected)
      }
      assert.notInclude(text, "noindex")
    })
  )

  it.effect("programs that read the page, or the player alone, find the name and the video itself", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const video = add(makeVideo(origin, 21, { name: "Found by programs", files: webFiles(origin) }))
      const unlisted = add(makeVideo(origin, 22, { privacy: 2, files: webFiles(origin) }))
      for (const path of [`/w/${video.shortUUID}`, `/videos/embed/${video.uuid}`]) {
        const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec((yield* get(path)).text)!
        const { contentUrl, name } = JSON.parse(json!)
        assert.deepStrictEqual([name, contentUrl], ["Found by programs", video.files[0]!.fileUrl])
      }
      assert.notInclude((yield* get(`/videos/embed/${unlisted.uuid}`)).text, "ld+json")
    })
  )

  it.effect("a live says on its page, in embeds and in lists whether it is on, begins or has ended", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const startAt = "2999-11-28T20:00:00.000Z"
      const soon = add(makeVideo(origin, 23, { isLive: true, state: 4, liveSchedules: [{ startAt }] }))
      const on = add(makeVideo(origin, 24, { isLive: true, viewers: 12 }))
      const over = add(makeVideo(origin, 25, { isLive: true, state: 5 }))
      const said = [
        [soon, ["This live has not begun", startAt, "November 28 at 8:00 PM UTC", `"startDate":"${startAt}"`]],
        [on, [`<span class="live-mark">LIVE</span>12 people are watching`, "Watching a live needs JavaScript."]],
        [over, ["This live has ended"]]
      ] as const
      for (const [video, words] of said) {
        const { text } = yield* get(`/w/${video.shortUUID}`)
        for (const it of [...words, `"isLiveBroadcast":true`]) assert.include(text, it)
        assert.notInclude(text, "data-download")
        assert.notInclude(text, `"duration":`)
      }
      assert.include((yield* get(`/videos/embed/${soon.uuid}`)).text, "This live has not begun")
      const french = yield* get(`/w/${soon.shortUUID}`, { "accept-language": "fr" })
      assert.include(french.text, "Ce direct n’a pas encore commencé")
      const { text: list } = yield* get("/")
      assert.include(list, `<span class="badge live">LIVE</span>`)
      assert.include(list, `<span class="badge">Soon</span>`)
      assert.include(list, `<time datetime="${startAt}" data-moment>Thursday, November 28`)
    })
  )

  it.effect("is found by id, uuid and short uuid on both addresses", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const video = add(makeVideo(origin, 2))
      for (const id of [String(video.id), video.uuid, video.shortUUID, video.uuid.toUpperCase()]) {
        assert.strictEqual((yield* get(`/w/${id}`)).status, 200)
        assert.strictEqual((yield* get(`/videos/watch/${id}`)).status, 200)
        assert.strictEqual((yield* get(`/videos/embed/${id}`)).status, 200)
      }
    })
  )

  const hidden: ReadonlyArray<readonly [string, VideoSketch, ReadonlyArray<"id" | "uuid">]> = [
    ["private", { privacy: 3 }, ["id", "uuid"]],
    ["internal", { privacy: 4 }, ["id", "uuid"]],
    ["blocked", { blacklisted: true }, ["id", "uuid"]],
    ["blocked and unlisted", { blacklisted: true, privacy: 2 }, ["id", "uuid"]],
    ["unlisted, by its row id", { privacy: 2 }, ["id"]],
    ["in preparation, by its row id", { state: 2 }, ["id"]],
    ["unlisted and in preparation, by its row id", { privacy: 2, state: 2 }, ["id"]],
    ["private and in preparation", { privacy: 3, state: 2 }, ["id", "uuid"]],
    ["protected and in preparation", { privacy: 5, state: 2 }, ["id", "uuid"]],
    ["blocked and in preparation", { blacklisted: true, state: 2 }, ["id", "uuid"]],
    ["failed", { state: 7 }, ["id", "uuid"]]
  ]

  it.effect.each(hidden)("%s: answered exactly as if there were no such video (API-16)", ([, sketch, names]) =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const video = add(makeVideo(origin, 3, { name: "SECRET name", description: "SECRET words", ...sketch }))
      for (const family of ["/w", "/videos/watch", "/videos/embed"]) {
        const missing = yield* get(`${family}/999`)
        assert.strictEqual(missing.status, 404)
        assert.include(missing.text, "noindex")
        for (const name of names) {
          const answer = yield* get(`${family}/${video[name]}`)
          assert.strictEqual(answer.status, 404)
          assert.strictEqual(answer.text, missing.text)
        }
      }
      for (const name of names) {
        const answer = yield* get(`/services/oembed?url=${encodeURIComponent(`${origin}/w/${video[name]}`)}`)
        assert.strictEqual(answer.status, 404)
        assert.notInclude(answer.text, "SECRET")
      }
    })
  )

  it.effect("a password-protected video tells nothing but that it is there", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const video = add(
        makeVideo(origin, 6, { privacy: 5, name: "SECRET name", description: "SECRET words", tags: ["SECRET"] })
      )
      for (const path of [`/w/${video.uuid}`, `/videos/embed/${video.uuid}`]) {
        const { status, text } = yield* get(path)
        assert.strictEqual(status, 200)
        assert.notInclude(text, "SECRET")
        assert.notInclude(text, "og:video")
        assert.include(text, "noindex")
      }
    })
  )

  it.effect("unlisted and unpublished videos are not to be indexed", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const unlisted = add(makeVideo(origin, 7, { privacy: 2, name: "By link only" }))
      const unpublished = add(makeVideo(origin, 8, { state: 2, name: "Still cooking", tags: ["Still cooking"] }))
      for (const { uuid } of [unlisted, unpublished]) {
        const { status, text } = yield* get(`/w/${uuid}`)
        assert.strictEqual(status, 200)
        assert.include(text, `<meta name="robots" content="noindex">`)
        assert.notInclude(text, "VideoObject")
      }
      for (const path of [`/w/${unpublished.uuid}`, `/videos/embed/${unpublished.shortUUID}`]) {
        const { text } = yield* get(path)
        assert.notInclude(text, "Still cooking")
        assert.notInclude(text, "og:title")
        assert.include(text, "data-pending")
      }
      const home = yield* get("/")
      assert.notInclude(home.text, "By link only")
      assert.notInclude(home.text, "Still cooking")
    })
  )

  it.effect("a sensitive picture is not put into link cards", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const thumbnails = [{ fileUrl: `${origin}/x.jpg`, width: 850, height: 480, aspectRatio: "16:9" }]
      add(makeVideo(origin, 9, { nsfw: true, thumbnails }))
      assert.notInclude((yield* get("/w/9")).text, "og:image")
    })
  )

  it.effect("a sensitive video stands behind a warning on its page and in embeds, and blurred in lists", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const summary = "Shows <b>wounds</b>"
      const video = add(
        makeVideo(origin, 19, { nsfw: true, nsfwFlags: 1, nsfwSummary: summary, thumbnailPath: "/x.jpg" })
      )
      const harmless = add(makeVideo(origin, 20, { name: "Harmless" }))
      for (const path of [`/w/${video.uuid}`, `/videos/embed/${video.uuid}`]) {
        const { text } = yield* get(path)
        assert.include(text, `data-treatment="blur"`)
        assert.include(text, "shows violence.")
        assert.include(text, "Shows &lt;b&gt;wounds&lt;/b&gt;")
        assert.include(text, `data-nsfw-policy="blur"`)
      }
      for (const path of [`/w/${harmless.uuid}`, `/videos/embed/${harmless.uuid}`]) {
        const { text } = yield* get(path)
        assert.notInclude(text, `class="sensitive"`)
        assert.notInclude(text, "data-treatment")
      }
      const home = (yield* get("/?count=100")).text
      const thumbOf = ({ shortUUID }: typeof video) =>
        new RegExp(`class="thumb" href="/w/${shortUUID}"[^>]*`).exec(home)?.[0]
      assert.include(thumbOf(video), `data-nsfw="1"`)
      assert.notInclude(thumbOf(harmless), "data-nsfw")
    })
  )

  it.effect("nothing that people write leaves its place (WEB-01)", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\`--><!--</title></script>&#x3c;`
      const video = makeVideo(origin, 10, {
        name: attack,
        description: `${attack} javascript:alert(1) https://a.example/"onclick="x`,
        tags: [attack]
      })
      add({
        ...video,
        channel: { ...video.channel, displayName: attack },
        account: { ...video.account, displayName: attack }
      })
      const pages = yield* Effect.forEach(["/w/10", "/videos/embed/10", "/"], (path) => get(path))
      for (const { text } of pages) {
        assert.notMatch(
          text.replaceAll(/<script type="application\/ld\+json">.*?<\/script>/g, ""),
          /<script>|<img src=x|"onclick=|<!--/
        )
        assert.strictEqual(text.match(/<\/title>/g)?.length, 1)
        const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
        for (const [, json] of blocks) assert.strictEqual(JSON.parse(json!).name, attack)
      }
    })
  )

  it.effect("only embeds may be framed, and no page runs anything inline (WEB-10)", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const { uuid } = add(makeVideo(origin, 11))
      const paths = ["/", "/about", `/w/${uuid}`, "/w/unknown", "/a/root", "/c/root_channel", "/w/p/x", "/nowhere"]
      for (const path of paths) {
        const { headers, text } = yield* get(path, { accept: "text/html" })
        const policy = headers["content-security-policy"] ?? ""
        assert.include(policy, "default-src 'none'; script-src 'self'; style-src 'self'")
        assert.include(policy, "frame-ancestors 'none'")
        assert.notInclude(policy, "unsafe")
        assert.strictEqual(headers["permissions-policy"], "camera=(), microphone=(), display-capture=()")
        assert.strictEqual(headers["x-frame-options"], "DENY")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
        assert.notMatch(text, / style="|<style| on[a-z]+="|<script(?! type="(?:module" src=|application\/ld\+json"))/)
      }
      const framed = [
        `/videos/embed/${uuid}`,
        "/videos/embed/unknown",
        "/video-playlists/embed/x",
        "/videos/test-embed",
        "/video-playlists/test-embed"
      ]
      for (const path of framed) {
        const { headers } = yield* get(path)
        assert.include(headers["content-security-policy"] ?? "", "frame-ancestors *")
        assert.isUndefined(headers["x-frame-options"])
        assert.strictEqual(headers["cache-control"], "public, max-age=0")
      }
    })
  )

  it.effect("a video of another instance may load from there and is canonical there", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const there = "https://videos.example"
      const video = makeVideo(origin, 12, {
        isLocal: false,
        url: `${there}/videos/watch/x`,
        thumbnails: [{ fileUrl: `${there}/t.jpg`, width: 280, height: 157, aspectRatio: "16:9" }]
      })
      add(video)
      const { headers, text } = yield* get("/w/12")
      assert.include(text, `<link rel="canonical" href="${there}/videos/watch/x">`)
      assert.include(headers["content-security-policy"] ?? "", `media-src 'self' blob: ${there}`)
      assert.notInclude((yield* get("/w/11")).headers["content-security-policy"] ?? "", there)
    })
  )

  it.effect("the player works without code where there is a web video file", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      add(makeVideo(origin, 13))
      assert.include((yield* get("/w/13")).text, "needs JavaScript")
      add(makeVideo(origin, 13, { files: webFiles(origin) }))
      assert.match((yield* get("/w/13")).text, /<noscript><video controls[^>]* src="[^"]*\/static\/web\.mp4"/)
    })
  )

  it.effect("a database that is away is a page with 503 and Retry-After", () =>
    Effect.gen(function* () {
      const world = yield* World
      world.broken = true
      const answers = yield* Effect.forEach(["/", "/w/1", "/videos/embed/1"], (path) => get(path))
      world.broken = false
      for (const { headers, status, text } of answers) {
        assert.strictEqual(status, 503)
        assert.strictEqual(headers["retry-after"], "5")
        assert.include(text, "try again")
      }
    })
  )

  it.effect("clients that ask for ActivityPub are handed over", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      add(makeVideo(origin, 14))
      add(makeVideo(origin, 15, { privacy: 3 }))
      const accept = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
      const statusOf = (path: string) =>
        Effect.map(get(path, { accept }), (it) => [it.status, it.headers["content-type"], it.headers["vary"]])
      const problem = "application/problem+json; charset=utf-8"
      assert.deepStrictEqual(yield* statusOf("/w/14"), [406, problem, "Accept"])
      assert.deepStrictEqual(yield* statusOf("/w/15"), [404, problem, "Accept"])
      assert.deepStrictEqual(yield* statusOf("/w/nonsense"), [404, problem, "Accept"])
      assert.deepStrictEqual(yield* statusOf("/accounts/root"), [406, problem, "Accept"])
      assert.deepStrictEqual(yield* statusOf("/video-channels/nobody"), [404, problem, "Accept"])
      assert.deepStrictEqual(yield* statusOf("/w/p/14"), [406, problem, "Accept"])
      assert.strictEqual((yield* get("/w/14", { accept: "*/*" })).status, 200)
    })
  )
})
