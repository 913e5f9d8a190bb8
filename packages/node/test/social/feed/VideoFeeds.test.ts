import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { actorsOf, feedNode } from "./FeedNode.ts"
import { readFeeds } from "./Validators.ts"

const origin = "http://localhost:9000"

const rss = (path: string, init?: RequestInit) =>
  Effect.map(send(path, init), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text)
    return parseRssFeed(answer.text)
  })

const links = (path: string, init?: RequestInit) =>
  Effect.map(rss(path, init), ({ items = [] }) => items.map(({ link }) => link))

/** A public video of the owner, with the address its watch page has. */
const video = Effect.fnUntraced(function* (options: Partial<Parameters<typeof addVideo>[0]> = {}) {
  const made = yield* addVideo({ owner: "owner", ...options })
  const { json } = yield* send(`/api/v1/videos/${made.uuid}`, bearer((yield* People).administrator))
  return { ...made, link: `${origin}/w/${json.shortUUID}` }
})

layer(feedNode(), { excludeTestServices: true })("feeds of videos", (it) => {
  it.effect("come in every format, under its media types, and are what they say", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { link, uuid } = yield* video()
      yield* sql`
        update video set name = 'Cats & "Dogs" ]]> <3', description = ${"**bold** <script>x</script>\n\nsecond"}, category = 15,
          views = 7 where uuid = ${uuid}::uuid`
      const texts: Array<string> = []
      for (const [format, type] of [
        ["xml", "application/xml"],
        ["rss", "application/rss+xml"],
        ["rss2", "application/rss+xml"],
        ["atom", "application/atom+xml"],
        ["atom1", "application/atom+xml"],
        ["json", "application/json"],
        ["json1", "application/json"]
      ] as const) {
        const answer = yield* send(`/feeds/videos.${format}`)
        assert.strictEqual(answer.status, 200, format)
        assert.strictEqual(answer.headers.get("content-type"), `${type}; charset=utf-8`)
        assert.strictEqual(answer.headers.get("cache-control"), "max-age=900")
        assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
        assert.isNotNull(answer.headers.get("etag"))
        const asked = yield* send(`/feeds/videos?format=${format}`)
        assert.strictEqual(asked.text, answer.text)
        if (!format.startsWith("json")) texts.push(answer.text)
      }
      for (const read of readFeeds(texts)) {
        assert.isNull(read.bozo)
        assert.strictEqual(read.entries[0]!.link, link)
        assert.include(read.entries[0]!.content, "<strong>bold</strong>")
        assert.notInclude(read.entries[0]!.content, "<script>")
      }
      assert.deepStrictEqual(
        readFeeds(texts).map(({ version }) => version),
        ["rss20", "rss20", "rss20", "atom10", "atom10"]
      )

      const [item] = (yield* rss("/feeds/videos.rss")).items!
      assert.strictEqual(item!.title, 'Cats & "Dogs" ]]> <3')
      assert.strictEqual(item!.description, "bold <script>x</script> second")
      assert.deepInclude(item!.enclosures?.[0], {
        url: `${origin}/download/web-videos/${uuid}-720.mp4`,
        length: 100,
        type: "video/mp4"
      })
      assert.strictEqual(item!.categories?.[0]?.name, "Science & Technology")
      assert.strictEqual(item!.dc?.creators?.[0], "Main owner channel")
      assert.strictEqual(item!.media?.community?.statistics?.views, 7)
      assert.strictEqual(item!.media?.groups?.[0]?.contents?.length, 2)
      assert.strictEqual(item!.media?.groups?.[0]?.peerLinks?.length, 2)
      assert.strictEqual(item!.media?.thumbnails?.length, 2)
      const text = (yield* send("/feeds/videos.xml")).text
      for (const part of [
        `<media:embed url="${origin}/videos/embed/${uuid}"/>`,
        `<media:player url="${link}"/>`,
        "<media:rating>nonadult</media:rating>",
        '<media:category label="Science &amp; Technology">15</media:category>',
        '<media:title type="plain">Cats &amp; &quot;Dogs&quot; ]]&gt; &lt;3</media:title>'
      ]) {
        assert.include(text, part)
      }

      const atom = parseAtomFeed((yield* send("/feeds/videos.atom")).text)
      assert.deepStrictEqual(atom.entries?.[0]?.title, {
        value: "Cats &amp; &quot;Dogs&quot; ]]&gt; &lt;3",
        type: "html"
      })
      const json = parseJsonFeed((yield* send("/feeds/videos.json")).json)
      assert.strictEqual(json.items?.[0]?.title, 'Cats & "Dogs" ]]> <3')
      assert.deepStrictEqual(
        json.items?.[0]?.attachments?.map(({ mime_type }) => mime_type),
        ["video/mp4", "application/x-bittorrent", "application/x-bittorrent"]
      )
    })
  )

  it.effect("answer what the client takes, and say what they do not understand", () =>
    Effect.gen(function* () {
      const accept = (path: string, type: string) => send(path, { headers: { accept: type } })
      assert.strictEqual(
        (yield* accept("/feeds/videos.rss", "text/html, application/xml;q=0.9, */*;q=0.8")).headers.get("content-type"),
        "application/xml; charset=utf-8"
      )
      assert.strictEqual(
        (yield* accept("/feeds/videos.xml", "text/*")).headers.get("content-type"),
        "text/xml; charset=utf-8"
      )
      assert.strictEqual((yield* accept("/feeds/videos.atom", "application/json")).status, 406)
      assert.strictEqual((yield* accept("/feeds/videos.rss", "application/rss+xml;q=0")).status, 406)
      for (const [path, field] of [
        ["/feeds/videos.pdf", "format"],
        ["/feeds/videos?format=rss3", "format"],
        ["/feeds/videos.rss?sort=secret", "sort"],
        ["/feeds/videos.rss?accountId=x", "accountId"],
        ["/feeds/videos.rss?videoChannelId=0", "videoChannelId"],
        ["/feeds/videos.rss?isLocal=maybe", "isLocal"],
        ["/feeds/subscriptions.rss?accountId=1", "token"],
        ["/feeds/podcast/videos.xml", "videoChannelId"],
        ["/feeds/video-comments.rss?videoId=!", "videoId"]
      ] as const) {
        const answer = yield* send(path)
        assert.strictEqual(answer.status, 400, path)
        assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [field])
      }
      for (const path of [
        "/feeds/videos.rss?accountId=999999",
        "/feeds/videos.rss?accountName=nobody",
        "/feeds/videos.rss?videoChannelId=999999",
        "/feeds/videos.rss?videoChannelName=nobody@elsewhere.example",
        "/feeds/podcast/videos.xml?videoChannelId=999999",
        "/feeds/video-comments.rss?videoId=999999"
      ]) {
        assert.strictEqual((yield* send(path)).status, 404, path)
      }
    })
  )

  it.effect("are those of an account, of a channel, or narrowed down as lists are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* actorsOf("owner")
      const other = yield* actorsOf("other")
      const mine = yield* video()
      const theirs = yield* video({ owner: "other" })
      yield* sql`update video set name = 'Needle', language = 'fr' where id = ${theirs.id}`
      for (const query of [`accountId=${owner.accountId}`, "accountName=owner", `videoChannelId=${owner.channelId}`]) {
        const found = yield* links(`/feeds/videos.rss?${query}`)
        assert.include(found, mine.link)
        assert.notInclude(found, theirs.link)
      }
      assert.deepStrictEqual(yield* links(`/feeds/videos.rss?videoChannelName=${other.channelName}`), [theirs.link])
      for (const query of ["search=needle", "languageOneOf=fr", "languageOneOf[]=fr"]) {
        assert.deepStrictEqual(yield* links(`/feeds/videos.rss?${query}`), [theirs.link], query)
      }
      assert.deepStrictEqual(
        yield* links(`/feeds/videos.rss?accountId=${owner.accountId}&videoChannelId=${other.channelId}`),
        []
      )
      assert.deepStrictEqual(yield* links("/feeds/videos.rss?isLocal=false"), [])
      assert.deepStrictEqual(yield* links("/feeds/videos.rss?hasHLSFiles=false"), [])
      assert.strictEqual((yield* links("/feeds/videos.rss?sort=-name"))[0], mine.link)
      const feed = yield* rss(`/feeds/videos.xml?videoChannelId=${owner.channelId}&unknown=%3Cx%3E`)
      assert.strictEqual(feed.title, "Main owner channel")
      assert.strictEqual(feed.link, `${origin}/c/owner_channel/videos`)
      const self = `${origin}/feeds/videos.xml?videoChannelId=${owner.channelId}`
      assert.isTrue(feed.atom?.links?.some(({ href, rel }) => href === self && rel === "self"))
      yield* sql`update video set nsfw = true where id = ${theirs.id}`
      assert.deepStrictEqual(yield* links("/feeds/videos.rss?nsfw=true"), [theirs.link])
      assert.notInclude(yield* links("/feeds/videos.rss"), theirs.link, "the instance's policy")
      assert.include((yield* send("/feeds/videos.rss?nsfw=true")).text, "<media:rating>adult</media:rating>")
      yield* sql`update video set nsfw = false where id = ${theirs.id}`
    })
  )

  it.effect("tell of nothing that lists do not (WEB-08)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { moderator, owner } = yield* People
      const shown = yield* video()
      const hidden = []
      for (const privacy of [2, 3, 4, 5]) {
        hidden.push(yield* video({ privacy, ...(privacy === 5 ? { passwords: ["secret"] } : {}) }))
      }
      hidden.push(yield* video({ state: 2 }), yield* video({ blacklisted: true }))
      for (const path of ["videos.rss", "videos.atom", "videos.json", "podcast/videos.xml"]) {
        const { channelId } = yield* actorsOf("owner")
        const { text } = yield* send(`/feeds/${path}?videoChannelId=${channelId}`)
        assert.include(text, shown.link)
        for (const { link, uuid } of hidden) {
          assert.notInclude(text, link, path)
          assert.notInclude(text, uuid, path)
        }
      }
      assert.strictEqual((yield* send("/feeds/videos.rss?include=3")).status, 401)
      assert.strictEqual((yield* send("/feeds/videos.rss?include=3", bearer(owner))).status, 403)
      assert.strictEqual((yield* send("/feeds/videos.rss?privacyOneOf=3")).status, 401)
      const all = yield* send("/feeds/videos.rss?include=3&privacyOneOf=1&privacyOneOf=3", bearer(moderator))
      assert.strictEqual(all.headers.get("cache-control"), "private, max-age=900")
      assert.include(all.text, hidden[1]!.uuid)
      assert.include(all.text, hidden[5]!.uuid)
      assert.include(
        (yield* send("/feeds/videos.rss", bearer(owner))).text,
        hidden[2]!.uuid,
        "internal, for who logs in"
      )

      yield* sql`
        insert into account_block (account_id, target_account_id)
        select i.id, t.id from account i join actor n on n.id = i.actor_id and n.type = 'Application', account t
          join app_user u on u.id = t.user_id and u.username = 'owner'`
      assert.notInclude((yield* send("/feeds/videos.rss")).text, shown.uuid)
      yield* sql`delete from account_block`
      assert.include((yield* send("/feeds/videos.rss")).text, shown.uuid)
    })
  )

  it.effect("hold no more than was configured, and survive odd videos", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into video (channel_id, account_id, url, name, privacy, state)
        select c.id, c.account_id, 'http://localhost:9000/videos/watch/' || gen_random_uuid(), 'Many', 1, 1
        from generate_series(1, 21), video_channel c join account a on a.id = c.account_id
          join app_user u on u.id = a.user_id and u.username = 'owner'`
      assert.strictEqual((yield* links("/feeds/videos.rss")).length, 20)
      const odd = yield* video()
      yield* sql`update video set is_live = true, name = ${"\u202e\ufffe live"} where id = ${odd.id}`
      const bare = yield* video()
      yield* sql`delete from video_file where video_id = ${bare.id}`
      yield* sql`delete from streaming_playlist where video_id = ${bare.id}`
      yield* sql`delete from thumbnail where video_id = ${bare.id}`
      const { channelId } = yield* actorsOf("owner")
      const paths = ["/feeds/videos.xml", "/feeds/videos.atom", `/feeds/podcast/videos.xml?videoChannelId=${channelId}`]
      const texts = yield* Effect.forEach(paths, (path) => Effect.map(send(path), ({ text }) => text))
      for (const read of readFeeds(texts)) assert.isNull(read.bozo)
    })
  )

  it.effect("of a channel that was deleted are not there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { channelId } = yield* actorsOf("other")
      assert.strictEqual((yield* send(`/feeds/videos.rss?videoChannelId=${channelId}`)).status, 200)
      yield* sql`delete from video_channel where id = ${channelId}`
      assert.strictEqual((yield* send(`/feeds/videos.rss?videoChannelId=${channelId}`)).status, 404)
      assert.strictEqual((yield* send(`/feeds/podcast/videos.xml?videoChannelId=${channelId}`)).status, 404)
    })
  )
})
