import { assert, layer } from "@effect/vitest"
import { OEmbed } from "@kinora/domain/wire/Discovery"
import { Effect, Layer, Schema } from "effect"
import { PageCommentsLayer } from "../../src/web-pages/data/PageCommentsLayer.ts"
import { FeedRoutes } from "../../src/social/feed/FeedRoutes.ts"
import { layerServe } from "../../src/platform/http/HttpServerLayer.ts"
import { PageInstanceLayer } from "../../src/web-pages/data/PageInstanceLayer.ts"
import { PagesOnly } from "./support/PagesOnly.ts"
import { ActorPageRoutes } from "../../src/web-pages/ActorPagesHttp.ts"
import { ListPageRoutes } from "../../src/web-pages/ListPagesHttp.ts"
import { OEmbedRoutes } from "../../src/web-pages/OEmbedHttp.ts"
import { VideoPageRoutes } from "../../src/web-pages/VideoPagesHttp.ts"
import { PageListsLayer } from "../../src/web-pages/data/PageListsLayer.ts"
import { PagePlaylistsLayer } from "../../src/web-pages/data/PagePlaylistsLayer.ts"
import { PageActorsLayer } from "../../src/web-pages/data/PageActorsLayer.ts"
import { PageVideosLayer } from "../../src/web-pages/data/PageVideosLayer.ts"
import { VideoOrigins } from "../../src/web-pages/VideoOrigins.ts"
import { send } from "../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../instance/about/TestNode.ts"
import { make, put } from "../social/playlist/PlaylistClient.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"
import { BuiltClient } from "./support/BuiltClient.ts"

const origin = "http://localhost:9000"

const pages = Layer.mergeAll(OEmbedRoutes, ListPageRoutes, ActorPageRoutes, VideoPageRoutes).pipe(
  Layer.provide(
    PagesOnly.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          PageInstanceLayer,
          PageActorsLayer,
          PageVideosLayer,
          VideoOrigins.layer,
          PageCommentsLayer,
          PageListsLayer,
          PagePlaylistsLayer,
          BuiltClient
        )
      )
    )
  )
)

const node = People.layer.pipe(
  Layer.provideMerge(
    layerServe(Layer.mergeAll(testRoutes, FeedRoutes, pages), testOptions).pipe(Layer.provideMerge(testServices({})))
  )
)

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(OEmbed))

const oembed = (url: string, more: Record<string, string> = {}) =>
  send(`/services/oembed?${new URLSearchParams({ url, ...more })}`)

/** Feeds a page names in its head. */
const feedsOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<link rel="alternate" type="application\/(?:rss|atom)\+xml" title="[^"]+" href="([^"]+)"/g)].map(
    (match) => match[1]!.replaceAll("&amp;", "&")
  )

layer(node, { excludeTestServices: true })("what other sites and programs find", (it) => {
  it.effect("feeds are named in the heads of pages, and answer", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const { json } = yield* send(`/api/v1/videos/${uuid}`)
      const paths = {
        "/": 3,
        "/videos/trending": 3,
        "/videos/local": 3,
        "/a/owner": 3,
        "/c/owner_channel": 4,
        [`/w/${json.shortUUID}`]: 3
      }
      for (const [path, count] of Object.entries(paths)) {
        const found = feedsOf((yield* send(path)).text)
        assert.lengthOf(found, count, path)
        for (const feed of found) assert.strictEqual((yield* send(feed)).status, 200, feed)
      }
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      assert.lengthOf(feedsOf((yield* send(`/w/${locked.uuid}`)).text), 0)
    })
  )

  it.effect("playlists are embedded by every address they have", () =>
    Effect.gen(function* () {
      const { id } = yield* addVideo({ owner: "owner" })
      const list = yield* make({ displayName: 'My "list" <3', privacy: 2 })
      yield* put(list.id, id)
      for (const path of [
        `/w/p/${list.shortUUID}`,
        `/videos/watch/playlist/${list.uuid}`,
        `/video-playlists/embed/${list.uuid}`
      ]) {
        const { status, text } = yield* oembed(origin + path)
        assert.strictEqual(status, 200, path)
        const answer = decode(text)
        assert.deepInclude(answer, { title: 'My "list" <3', author_name: "owner", width: 560, height: 315 })
        assert.include(answer.html, `src="${origin}/video-playlists/embed/${list.uuid}"`)
        assert.include(answer.html, 'title="My &quot;list&quot; &lt;3"')
      }
      const small = decode((yield* oembed(`${origin}/w/p/${list.uuid}`, { maxwidth: "100" })).text)
      assert.deepInclude(small, { width: 100, height: 56 })
      assert.isUndefined(small.thumbnail_url)
      const secret = yield* make({ displayName: "Secret", privacy: 3 })
      assert.strictEqual((yield* oembed(`${origin}/w/p/${secret.uuid}`)).status, 404)
      assert.strictEqual((yield* oembed(`${origin}/w/p/${list.id}`)).status, 404, "unlisted, by its number")
      assert.strictEqual((yield* oembed(`${origin}/w/p/nothing!`)).status, 400)
      assert.strictEqual((yield* oembed(`https://elsewhere.example/w/p/${list.uuid}`)).status, 400)
      assert.strictEqual((yield* oembed(`${origin}/w/p/${list.uuid}`, { format: "xml" })).status, 501)
      assert.strictEqual((yield* oembed(`${origin}/w/p/${list.uuid}`, { maxwidth: "-1" })).status, 400)
    })
  )

  it.effect("accounts are where they belong", () =>
    Effect.gen(function* () {
      for (const name of ["owner", "owner@localhost:9000"]) {
        const { headers, status } = yield* send(`/services/redirect/accounts/${name}`)
        assert.strictEqual(status, 302)
        assert.strictEqual(headers.get("location"), `${origin}/accounts/owner`)
      }
      for (const name of ["nobody", "owner_channel", "a%20b", "owner@elsewhere.example"]) {
        assert.strictEqual((yield* send(`/services/redirect/accounts/${name}`)).status, 404, name)
      }
    })
  )
})
