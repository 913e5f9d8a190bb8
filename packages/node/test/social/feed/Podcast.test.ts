import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { parseRssFeed } from "feedsmith"
import { parseFeed } from "podcast-partytime"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { podcastGuid } from "../../../src/social/feed/PodcastFeed.ts"
import { actorsOf, feedNode } from "./FeedNode.ts"
import { readFeeds } from "./Validators.ts"

const origin = "http://localhost:9000"

layer(feedNode(), { excludeTestServices: true })("podcasts and subscriptions", (it) => {
  it.effect("are channels with episodes, files, captions and chapters", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { channelId } = yield* actorsOf("owner")
      const path = `/feeds/podcast/videos.xml?videoChannelId=${channelId}`
      const { id, token, uuid } = yield* addVideo({ owner: "owner" })
      const { json } = yield* send(`/api/v1/videos/${uuid}`)
      yield* sql`update video set duration = 100, description = 'One & two', chapters_by_hand = true where id = ${id}`
      yield* sql`insert into video_chapter values (${id}, 0, 'Intro & more'), (${id}, 50, 'End')`
      yield* sql`update video_channel set description = 'A show', public_email = 'show@example.com' where id = ${channelId}`
      const answer = yield* send(path)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "application/rss+xml; charset=utf-8")
      const [read] = readFeeds([answer.text])
      assert.isNull(read!.bozo)
      assert.strictEqual(read!.entries[0]!.enclosures[0]!.href, `${origin}/download/web-videos/${uuid}-720.mp4`)

      const show = parseFeed(answer.text)!
      assert.deepInclude<object>(show, {
        title: "Main owner channel",
        link: `${origin}/c/owner_channel/videos`,
        description: "A show",
        medium: "video",
        explicit: false,
        guid: podcastGuid(`${origin}${path}`),
        locked: true
      })
      const episode = show.items[0]!
      assert.deepInclude(episode, {
        title: json.name,
        link: `${origin}/w/${json.shortUUID}`,
        duration: 100,
        explicit: false
      })
      assert.deepInclude(episode.enclosure, { length: 100, type: "video/mp4" })
      assert.strictEqual(episode.podcastPeople?.[0]?.name, "owner")
      assert.deepInclude(episode.podcastChapters, {
        url: `${origin}/feeds/podcast/chapters/${json.shortUUID}.json`,
        type: "application/json+chapters"
      })
      assert.strictEqual(
        episode.podcastTranscripts?.[0]?.url.toString(),
        `${origin}/lazy-static/video-captions/${token}-en.vtt`
      )
      const [web] = episode.alternativeEnclosures!
      assert.deepInclude(web, { type: "video/mp4", length: 100, default: true, title: "720p" })
      assert.lengthOf(web!.source, 3)
      const { itunes, items, podcast } = parseRssFeed(answer.text)
      const hls = items?.[0]?.podcast?.alternateEnclosures?.[1]
      assert.strictEqual(hls?.type, "application/x-mpegURL")
      assert.include(hls?.sources?.[0]?.uri, "-master.m3u8")
      assert.strictEqual(podcast?.locked?.owner, "show@example.com")
      assert.strictEqual(itunes?.owner?.email, "show@example.com")

      const chapters = yield* send(`/feeds/podcast/chapters/${json.shortUUID}.json`)
      assert.strictEqual(chapters.headers.get("content-type"), "application/json+chapters; charset=utf-8")
      assert.deepStrictEqual(chapters.json, {
        version: "1.2.0",
        chapters: [
          { startTime: 0, title: "Intro & more" },
          { startTime: 50, title: "End" }
        ]
      })
      yield* sql`update video set privacy = 3 where id = ${id}`
      assert.strictEqual((yield* send(`/feeds/podcast/chapters/${uuid}.json`)).status, 401)
      assert.strictEqual((yield* send("/feeds/podcast/chapters/nothing.json")).status, 404)
      assert.notInclude((yield* send(path)).text, "<item>")
    })
  )

  it.effect("put sound and picture that are apart together, and tell of what is live", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { channelId } = yield* actorsOf("owner")
      const { hlsFileId, id, uuid } = yield* addVideo({ owner: "owner" })
      yield* sql`delete from video_file where video_id = ${id}`
      yield* sql`update video_file set has_audio = false where id = ${hlsFileId}`
      const [sound] = yield* sql<{ id: number }>`
        insert into video_file (streaming_playlist_id, resolution, fps, size, extname, filename, has_audio, has_video)
        select streaming_playlist_id, 0, 0, 11, '.mp4', 'sound-0-fragmented.mp4', true, false from video_file
        where id = ${hlsFileId} returning id`
      const live = yield* addVideo({ owner: "owner" })
      yield* sql`update video set is_live = true, name = 'On air' where id = ${live.id}`
      const { text } = yield* send(`/feeds/podcast/videos.xml?videoChannelId=${channelId}`)
      const show = parseFeed(text)!
      assert.strictEqual(
        show.items[0]?.enclosure.url,
        `${origin}/download/videos/generate/${uuid}?videoFileIds=${hlsFileId}&videoFileIds=${sound!.id}`
      )
      assert.strictEqual(show.items[0]?.enclosure.length, 111)
      assert.lengthOf(show.items, 1)
      assert.strictEqual(show.podcastLiveItems?.[0]?.title, "On air")
      yield* sql`update video set download_enabled = false where id = ${id}`
      const still = parseFeed((yield* send(`/feeds/podcast/videos.xml?videoChannelId=${channelId}`)).text)!
      assert.include(still.items[0]?.enclosure.url, "/static/streaming-playlists/hls/")
      yield* sql`delete from video`
    })
  )

  it.effect("subscriptions open by their token alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const people = yield* People
      const owner = yield* actorsOf("owner")
      const other = yield* actorsOf("other")
      const { json } = yield* send("/api/v1/users/scoped-tokens", bearer(people.other))
      const token = json.feedToken as string
      const path = (accountId: number, token: string, more = "") =>
        `/feeds/subscriptions.rss?accountId=${accountId}&token=${token}${more}`
      const { uuid } = yield* addVideo({ owner: "owner" })
      const empty = yield* send(path(other.accountId, token))
      assert.strictEqual(empty.status, 200)
      assert.strictEqual(empty.headers.get("cache-control"), "private, max-age=900")
      assert.notInclude(empty.text, "<item>")
      assert.notInclude(empty.text, token)
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select a.actor_id, c.actor_id, 'accepted' from account a, video_channel c
        where a.id = ${other.accountId} and c.id = ${owner.channelId}`
      const full = yield* send(path(other.accountId, token))
      assert.include(full.text, uuid)
      for (const format of ["atom", "json", "xml"]) {
        const { status, text } = yield* send(path(other.accountId, token).replace(".rss", `.${format}`))
        assert.strictEqual(status, 200)
        assert.include(text, "Video of owner")
        assert.notInclude(text, token)
      }
      assert.strictEqual((yield* send(path(owner.accountId, token))).status, 403, "of somebody else")
      assert.strictEqual((yield* send(path(other.accountId, "nothing"))).status, 403)
      assert.strictEqual((yield* send(path(other.accountId, token, "&include=3"))).status, 403)
      assert.strictEqual((yield* send(path(other.accountId, token, "&sort=secret"))).status, 400)
      assert.strictEqual((yield* send("/feeds/subscriptions.rss?accountId=x")).status, 400)
      yield* sql`update app_user set blocked = true where username = 'other'`
      assert.strictEqual((yield* send(path(other.accountId, token))).status, 403, "of who is blocked")
      yield* sql`update app_user set blocked = false where username = 'other'`
      yield* send("/api/v1/users/scoped-tokens", { method: "POST", ...bearer(people.other) })
      assert.strictEqual((yield* send(path(other.accountId, token))).status, 403, "the former one")
    })
  )
})
