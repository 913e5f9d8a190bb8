import { assert, it, layer } from "@effect/vitest"
import { FeedVersion } from "@kinora/storage/social/feed/FeedVersion"
import { compactFeedVersion } from "@kinora/storage/social/feed/FeedVersionUpkeep"
import { fillReadModels } from "@kinora/storage/video/read/ReadModels"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { FeedCache } from "../../../src/social/feed/FeedCache.ts"
import { FeedRoutes } from "../../../src/social/feed/FeedRoutes.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { send } from "../../instance/about/Client.ts"
import { testOptions } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { actorsOf, addComment, feedNode } from "./FeedNode.ts"

/** Another node over the same database, of which nothing but feeds is asked; answers its address. */
const anotherNode = Effect.gen(function* () {
  const context = yield* Layer.build(Layer.fresh(layerServe(FeedRoutes, testOptions)))
  const { address } = yield* HttpServer.HttpServer.pipe(Effect.provide(context))
  return "port" in address ? `http://127.0.0.1:${address.port}` : yield* Effect.die("no port")
})

const etagAt = async (url: string): Promise<string | null> => {
  const response = await fetch(url)
  await response.text()
  return response.headers.get("etag")
}

const from = (base: string, path: string) => Effect.promise(() => etagAt(base + path))

/** How many changes were counted. */
const version = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ version: number }>`select sum(version)::int as version from feed_version`
).pipe(Effect.map((rows) => rows[0]!.version))

layer(feedNode({ feeds: { videos: { count: 3 } } }), { excludeTestServices: true })("feeds that are kept", (it) => {
  it.effect("are the same until something changes, and on every node", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const other = yield* anotherNode
      const { channelId } = yield* actorsOf("owner")
      const path = `/feeds/videos.xml?videoChannelId=${channelId}`
      const { id } = yield* addVideo({ owner: "owner" })
      const etagOf = Effect.map(send(path), ({ headers }) => headers.get("etag"))
      const first = yield* etagOf
      assert.strictEqual(yield* etagOf, first)
      assert.strictEqual(yield* from(other, path), first)

      let last = first
      const changed = Effect.fnUntraced(function* (what: string, change: Effect.Effect<unknown, unknown>) {
        yield* Effect.orDie(change)
        const now = yield* etagOf
        assert.notStrictEqual(now, last, what)
        assert.strictEqual(yield* from(other, path), now, what)
        last = now
      })
      yield* changed("views", sql`update video set views = views + 1 where id = ${id}`)
      yield* changed("name", sql`update video set name = 'Another name' where id = ${id}`)
      yield* changed(
        "tags",
        sql`with t as (insert into tag (name) values ('fresh') returning id)
        insert into video_tag select ${id}::int, id from t`
      )
      yield* changed("pictures", sql`delete from thumbnail where video_id = ${id} and type = 1`)
      yield* changed("files", sql`update video_file set size = 7 where video_id = ${id}`)
      yield* changed("channel", sql`update video_channel set display_name = 'Renamed' where id = ${channelId}`)
      yield* changed("blocked", sql`insert into video_blacklist (video_id) values (${id})`)
      yield* changed("unblocked", sql`delete from video_blacklist where video_id = ${id}`)
      yield* changed("private", sql`update video set privacy = 3 where id = ${id}`)
      assert.notInclude((yield* send(path)).text, "Another name")

      const before = yield* etagOf
      yield* sql`update actor set followers_count = followers_count + 1 where server_id is null`
      assert.strictEqual(yield* etagOf, before, "what is not told of changed")
    })
  )

  it.effect("tell of every change of an entry that was told before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, channelId } = yield* actorsOf("other")
      const { id } = yield* addVideo({ owner: "other" })
      yield* addVideo({ owner: "other" })
      const paths = [
        `/feeds/videos.xml?videoChannelId=${channelId}`,
        `/feeds/videos.atom?videoChannelId=${channelId}`,
        `/feeds/podcast/videos.xml?videoChannelId=${channelId}`
      ] as const
      const [rss, , podcast] = paths
      const made = fillReadModels(sql, 100)
      // Answers are ready, and feeds have told of them: entries are kept from here on.
      const settled = Effect.gen(function* () {
        while ((yield* made) > 0);
        for (const path of paths) yield* send(path)
        yield* sql`update video set views = views + 1 where id <> ${id}`
        for (const path of paths) yield* send(path)
      })
      const changed = Effect.fnUntraced(function* (what: string, change: Effect.Effect<unknown, unknown>) {
        yield* settled
        const before = yield* Effect.forEach(paths, (path) => Effect.map(send(path), ({ text }) => text))
        yield* Effect.orDie(change)
        const after = yield* Effect.forEach(paths, (path) => Effect.map(send(path), ({ text }) => text))
        while ((yield* made) > 0);
        // Feeds made of refreshed read models are the same as those made at once.
        yield* sql`update video set views = views + 1 where id <> ${id}`
        const { text } = yield* send(rss)
        assert.strictEqual(text.includes(`${what}<`), after[0]!.includes(`${what}<`), what)
        return paths.map((_, n) => [before[n]!, after[n]!] as const)
      })

      for (const [before, after] of yield* changed(
        "Renamed",
        sql`update video set name = 'Renamed' where id = ${id}`
      )) {
        assert.notInclude(before, "Renamed<")
        assert.include(after, "Renamed")
      }
      const channel = sql`update video_channel set display_name = 'Of a channel' where id = ${channelId}`
      for (const [before, after] of yield* changed("Of a channel", channel)) {
        assert.notInclude(before, "Of a channel")
        assert.include(after, "Of a channel")
      }
      const account = yield* changed(
        "Of an account",
        sql`update account set display_name = 'Of an account' where id = ${accountId}`
      )
      assert.include(account[2]![1], "<dc:creator>Of an account<")
      const caption = sql`insert into video_caption (video_id, language, filename) values (${id}, 'fr', 'words-fr.vtt')`
      const told = yield* changed("captions", caption)
      assert.notInclude(told[2]![0], "words-fr.vtt")
      assert.include(told[2]![1], "words-fr.vtt")
      const chapters = sql.withTransaction(
        Effect.andThen(
          sql`update video set chapters_by_hand = true where id = ${id}`,
          sql`insert into video_chapter (video_id, timecode, title) values (${id}, 0, 'First'), (${id}, 5, 'Second')`
        )
      )
      assert.include((yield* changed("chapters", chapters))[2]![1], "<podcast:chapters")
      const gone = yield* changed("no chapters", sql`delete from video_chapter where video_id = ${id}`)
      assert.notInclude(gone[2]![1], "<podcast:chapters")

      // Written by two transactions, one of which is taken back: only what was committed is told.
      yield* settled
      yield* Effect.ignore(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update video set name = 'Never' where id = ${id}`
            yield* made
            return yield* Effect.fail("taken back")
          })
        )
      )
      yield* sql`update video set name = 'At last' where id = ${id}`
      while ((yield* made) > 0);
      assert.include((yield* send(rss)).text, "At last<")
      assert.notInclude((yield* send(podcast)).text, "Never")
    })
  )

  it.effect("count changes when they are committed, and not when they are taken back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* addVideo({ owner: "owner" })
      const before = yield* version
      yield* Effect.ignore(
        sql.withTransaction(
          Effect.andThen(sql`update video set name = 'Never' where id = ${id}`, Effect.fail("taken back"))
        )
      )
      assert.strictEqual(yield* version, before)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* Effect.ignore(
            sql.withTransaction(
              Effect.andThen(sql`update video set name = 'Neither' where id = ${id}`, Effect.fail("to the savepoint"))
            )
          )
          yield* sql`update video set name = 'Once' where id = ${id}`
          yield* sql`update video set name = 'Twice' where id = ${id}`
        })
      )
      assert.strictEqual(yield* version, before + 1)
      assert.include((yield* send("/feeds/videos.xml")).text, "Twice")
      yield* sql`insert into feed_version (backend, version) values (-1, 40)`
      yield* compactFeedVersion(sql)
      assert.strictEqual(yield* version, before + 41)
      assert.lengthOf(yield* sql`select 1 from feed_version where backend = -1`, 0)
    })
  )

  it.effect("are not sent to who has them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id } = yield* addVideo({ owner: "owner" })
      for (const path of ["/feeds/videos.rss", "/feeds/videos.atom", "/feeds/videos.json"]) {
        const ask = (headers: Record<string, string>) => send(path, { headers })
        const { headers } = yield* ask({})
        const etag = headers.get("etag")!
        const known = yield* ask({ "if-none-match": etag })
        assert.strictEqual(known.status, 304)
        assert.strictEqual(known.text, "")
        assert.strictEqual(known.headers.get("etag"), etag)
        assert.strictEqual((yield* ask({ "if-none-match": '"other"' })).status, 200)
        const compressed = yield* ask({ "accept-encoding": "gzip" })
        assert.strictEqual(compressed.headers.get("content-encoding"), "gzip")
        assert.strictEqual(compressed.headers.get("etag"), etag)
        assert.include(compressed.headers.get("vary"), "Accept-Encoding")
        assert.strictEqual((yield* ask({ "accept-encoding": "identity" })).headers.get("content-encoding"), null)

        const tomorrow = "Wed, 01 Jan 2098 00:00:00 GMT"
        assert.strictEqual((yield* ask({ "if-modified-since": tomorrow })).status, 304)
        assert.strictEqual((yield* ask({ "if-modified-since": "Wed, 01 Jan 2020 00:00:00 GMT" })).status, 200)
        assert.strictEqual((yield* ask({ "if-modified-since": "soon" })).status, 200)
        const both = { "if-none-match": '"other"', "if-modified-since": tomorrow }
        assert.strictEqual((yield* ask(both)).status, 200, "the tag counts")
        yield* sql`update video set name = name || '!' where id = ${id}`
        assert.strictEqual((yield* ask({ "if-none-match": etag })).status, 200)
      }
      const head = yield* send("/feeds/videos.rss", { method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
    })
  )

  it.effect("tell of comments as they come and go, and hold no more than was configured", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const path = `/feeds/video-comments.xml?videoId=${uuid}`
      assert.notInclude((yield* send(path)).text, "<item>")
      const comment = yield* addComment(id, "other", "Well said")
      assert.include((yield* send(path)).text, "Well said")
      yield* sql`update video set comments_policy = 2 where id = ${id}`
      assert.notInclude((yield* send(path)).text, "<item>", "no comments any more")
      yield* sql`update video set comments_policy = 1 where id = ${id}`
      assert.include((yield* send(path)).text, "Well said")
      yield* sql`select remove_comments(array[${comment}::int])`
      assert.notInclude((yield* send(path)).text, "<item>")
      for (let i = 0; i < 3; i++) yield* addVideo({ owner: "owner" })
      assert.lengthOf((yield* send("/feeds/videos.rss")).text.match(/<item>/g) ?? [], 3)
    })
  )
})

const readers = 50

it.effect("a feed is read once at a time, even if something changes between any two who ask for it", () => {
  let version = 0
  const versions = Layer.sync(FeedVersion, () =>
    FeedVersion.of({ current: Effect.sync(() => ({ version: String(++version), now: version })) })
  )
  return Effect.gen(function* () {
    const cache = yield* FeedCache
    let running = 0
    let most = 0
    let reads = 0
    const read = Effect.gen(function* () {
      const before = version
      reads++
      most = Math.max(most, ++running)
      for (let turn = 0; turn < readers; turn++) yield* Effect.yieldNow
      running--
      return { facts: String(before), write: () => String(before) }
    })
    const told = yield* Effect.forEach(
      Array.from({ length: readers }),
      () =>
        Effect.map(cache.get("one", read), ({ feed, now }) => ({
          now,
          told: Number(Buffer.from(feed.body).toString())
        })),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(most, 1)
    assert.isBelow(reads, readers / 2)
    for (const one of told) assert.isAtLeast(one.told, one.now, "nobody is told what was before they asked")
  }).pipe(Effect.provide(FeedCache.layer.pipe(Layer.provide(versions))))
})
