import { assert, layer } from "@effect/vitest"
import { VideoInclude } from "@kinora/domain/enums/VideoInclude"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import type { VideoScope, VideoViewer } from "../../../src/video/read/VideoQuery.ts"
import { ReadModelRefresher } from "../../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const origin = "http://localhost:9000"
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoList), { onExcessProperty: "error" })

const Services = Layer.mergeAll(VideoLists.layer, ReadModelRefresher.layer).pipe(Layer.provideMerge(TestDatabase))

const read = Effect.fnUntraced(function* (
  query: Partial<VideoListQuery> = {},
  viewer?: VideoViewer,
  scope?: VideoScope
) {
  const lists = yield* VideoLists
  return yield* decode(yield* lists.list({ ...toVideoListQuery({}), ...query }, viewer, scope))
})

const names = (list: typeof VideoList.Type) => list.data.map((video) => video.name)

layer(Services)("VideoLists", (it) => {
  it.effect("answers the contract's shape, newest first, before and after the answers are made ready", () =>
    Effect.gen(function* () {
      yield* prepareReadModels(origin)
      const { videoIds } = yield* seedVideos({ videos: 40, accounts: 4 })
      const fresh = yield* read()
      assert.strictEqual(fresh.total, 40)
      assert.strictEqual(fresh.data.length, 15)
      assert.deepStrictEqual(
        fresh.data.map((video) => video.id),
        videoIds.toReversed().slice(0, 15)
      )
      const refresher = yield* ReadModelRefresher
      assert.strictEqual(yield* refresher.refresh(1000), 40 + 8)
      assert.strictEqual(yield* refresher.refresh(1000), 0)
      assert.deepStrictEqual(yield* read(), fresh)

      const first = fresh.data[0]!
      assert.strictEqual(first.aspectRatio, 1.7778)
      assert.match(first.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(first.category, { id: 5, label: "Sports" })
      assert.deepStrictEqual(first.language, { id: "en", label: "English" })
      assert.deepStrictEqual(
        first.thumbnails.map((thumbnail) => thumbnail.aspectRatio),
        ["16:9", "16:9"]
      )
      assert.strictEqual(first.thumbnailPath, `/lazy-static/thumbnails/${first.uuid}-1.jpg`)
      assert.strictEqual(first.account.host, "localhost:9000")
    })
  )

  it.effect("pages without overlap, skips the count, and is stable for equal values", () =>
    Effect.gen(function* () {
      const pages = yield* Effect.forEach([0, 15, 30], (start) =>
        read({ start, sort: { by: "likes", descending: true } })
      )
      assert.strictEqual(new Set(pages.flatMap((page) => page.data.map((video) => video.id))).size, 40)
      const lists = yield* VideoLists
      const text = yield* lists.list({ ...toVideoListQuery({}), count: 0, skipCount: true })
      assert.strictEqual(text, `{"data":[]}`)
    })
  )

  it.effect("shows a change of the video, its pictures or its account at the next read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresher = yield* ReadModelRefresher
      const before = (yield* read()).data[0]!
      yield* sql`update video set name = 'Renamed', views = views + 1 where id = ${before.id}`
      yield* sql`update account set display_name = 'Somebody' where id = ${before.account.id}`
      yield* sql`insert into actor_image (actor_id, type, filename, width, height)
        select actor_id, 1, 'face.png', 48, 48 from video_channel where id = ${before.channel.id}`
      yield* sql`delete from thumbnail where video_id = ${before.id} and type = 1`
      const check = Effect.gen(function* () {
        const after = (yield* read()).data[0]!
        assert.strictEqual(after.name, "Renamed")
        assert.strictEqual(after.views, before.views + 1)
        assert.strictEqual(after.account.displayName, "Somebody")
        assert.strictEqual(after.channel.avatars[0]?.fileUrl, `${origin}/lazy-static/avatars/face.png`)
        assert.strictEqual(after.thumbnailPath, "")
      })
      yield* check
      assert.isAbove(yield* refresher.refresh(1000), 0)
      yield* check
    })
  )

  it.effect("keeps totals right when videos come, go, hide and return", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresher = yield* ReadModelRefresher
      const total = Effect.map(read({ count: 1 }), (list) => list.total)
      const [victim, hidden] = (yield* read()).data
      yield* sql`delete from video where id = ${victim!.id}`
      assert.strictEqual(yield* total, 39)
      yield* sql`update video set privacy = 3 where id = ${hidden!.id}`
      assert.strictEqual(yield* total, 38)
      assert.notInclude(
        (yield* read()).data.map((video) => video.id),
        hidden!.id
      )
      yield* sql`update video set privacy = 1 where id = ${hidden!.id}`
      yield* sql`insert into video_blacklist (video_id, reason) values (${hidden!.id}, 'spam')`
      assert.strictEqual(yield* total, 38)
      yield* sql`delete from video_blacklist where video_id = ${hidden!.id}`
      yield* refresher.refresh(0)
      assert.strictEqual(yield* total, 39)
      const counted = yield* sql<{ n: number }>`select count(*) as n from video where visible = 2`
      assert.strictEqual(counted[0]!.n, 39)
    })
  )

  it.effect("filters by what videos are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const some = (yield* read({ count: 3, start: 5 })).data
      const [a, b] = some
      yield* sql`update video set name = '100%_sure \\ Café', nsfw = true, nsfw_flags = 2 where id = ${a!.id}`
      yield* sql`insert into video_tag (video_id, tag_id) select ${b!.id}, id from tag where name = 'first'`
      assert.deepStrictEqual(names(yield* read({ search: "CAFE" })), ["100%_sure \\ Café"])
      assert.strictEqual((yield* read({ search: "%_" })).total, 0)
      assert.deepStrictEqual(names(yield* read({ search: "sure \\" })), ["100%_sure \\ Café"])
      assert.deepStrictEqual(names(yield* read({ search: "100％＿sure" })), ["100%_sure \\ Café"])
      assert.strictEqual((yield* read({ search: "1%0" })).total, 0)
      assert.strictEqual((yield* read({ search: "1％0" })).total, 0)
      assert.strictEqual((yield* read({ search: "s＿re" })).total, 0)
      assert.strictEqual((yield* read({ search: "a\0b" })).total, 0)
      assert.strictEqual((yield* read({ nsfw: "true" })).total, 1)
      assert.strictEqual((yield* read({ nsfw: "false" })).total, 38)
      assert.strictEqual((yield* read({ nsfw: "false", nsfwFlagsIncluded: 2 })).total, 39)
      assert.strictEqual((yield* read({ nsfwFlagsExcluded: 2 })).total, 38)
      assert.deepStrictEqual(
        (yield* read({ tagsAllOf: ["FIRST", "seeded"] })).data.map((video) => video.id),
        [b!.id]
      )
      assert.strictEqual((yield* read({ tagsOneOf: ["first", "seeded"] })).total, 39)
      assert.strictEqual((yield* read({ tagsOneOf: ["nowhere"] })).total, 0)
      for (const video of (yield* read({ categoryOneOf: [3, 4], count: 100 })).data) {
        assert.include([3, 4], video.category.id)
      }
      const languages = (yield* read({ languageOneOf: ["de", "_unknown"], count: 100 })).data.map((v) => v.language.id)
      assert.deepStrictEqual(new Set(languages), new Set(["de", null]))
      assert.strictEqual((yield* read({ isLocal: false })).total, 0)
      assert.strictEqual((yield* read({ host: "LOCALHOST:9000" })).total, 39)
      assert.strictEqual((yield* read({ host: "elsewhere.example" })).total, 0)
      assert.strictEqual((yield* read({ isLive: true })).total, 0)
      assert.strictEqual((yield* read({ hasHLSFiles: true, hasWebVideoFiles: true })).total, 39)
      assert.strictEqual((yield* read({ hasHLSFiles: false })).total, 0)
    })
  )

  it.effect("knows the reader: blocks, history, internal videos", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owners = yield* sql<VideoViewer>`select user_id as "userId", id as "accountId" from account order by id`
      const viewer = owners[0]!
      const blocked = owners[1]!.accountId
      const internal = (yield* read({}, undefined, { _tag: "Account", accountId: viewer.accountId })).data[0]!.id
      yield* sql`update video set privacy = 4 where id = ${internal}`
      assert.strictEqual((yield* read()).total, 38)
      assert.strictEqual((yield* read({}, viewer)).total, 39)

      yield* sql`insert into account_block (account_id, target_account_id) values (${viewer.accountId}, ${blocked})`
      const theirs = (yield* read({ count: 0 }, undefined, { _tag: "Account", accountId: blocked })).total
      const seen = yield* read({ count: 100 }, viewer)
      assert.strictEqual(seen.total, 39 - theirs)
      assert.strictEqual(seen.data.length, seen.total)
      assert.strictEqual((yield* read()).total, 38)
      assert.strictEqual((yield* read({ include: VideoInclude.blockedOwner }, viewer)).total, 39)

      yield* sql`with peer as (insert into server (host) values ('peer.example') returning id)
        update actor set server_id = peer.id, private_key = null from peer
        where actor.id = (select actor_id from account where id = ${owners[2]!.accountId})`
      yield* sql`update video set remote = true, account_id = account_id where account_id = ${owners[2]!.accountId}`
      const remote = (yield* read({ isLocal: false, count: 100 }, viewer)).total
      assert.isAbove(remote, 0)
      assert.strictEqual((yield* read({ host: "peer.example" }, viewer)).total, remote)
      yield* sql`insert into server_block (account_id, server_id) select ${viewer.accountId}, id from server`
      const local = yield* read({ count: 100 }, viewer)
      assert.strictEqual(local.total, 39 - theirs - remote)
      assert.strictEqual(local.data.length, local.total)
      assert.strictEqual((yield* read({ isLocal: false }, viewer)).total, 0)
      assert.strictEqual((yield* read({ isLocal: false })).total, remote)
      yield* sql`delete from server_block`

      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        values (${viewer.userId}, ${internal}, 42)`
      const watched = (yield* read({ count: 100 }, viewer)).data.find((video) => video.id === internal)
      assert.deepStrictEqual(watched?.userHistory, { currentTime: 42 })
      assert.strictEqual((yield* read({ excludeAlreadyWatched: true }, viewer)).total, 39 - theirs - 1)
    })
  )

  it.effect("gives managers what is hidden, and what include asks for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owners =
        yield* sql<VideoViewer>`select user_id as "userId", id as "accountId" from account order by id desc`
      const viewer = owners[0]!
      const target = (yield* read()).data[0]!.id
      yield* sql`update video set privacy = 3, state = 2 where id = ${target}`
      yield* sql`insert into video_blacklist (video_id, reason) values (${target}, 'spam')`
      const all = { privacyOneOf: [3] as const, stateOneOf: [2] as const, include: 0 }
      assert.strictEqual((yield* read(all, viewer)).total, 0)
      const include =
        VideoInclude.blacklisted |
        VideoInclude.files |
        VideoInclude.tags |
        VideoInclude.source |
        VideoInclude.blockedOwner
      const found = (yield* read({ ...all, include }, viewer)).data[0]!
      assert.strictEqual(found.id, target)
      assert.deepStrictEqual(found.state, { id: 2, label: "To transcode" })
      assert.strictEqual(found.blacklisted, true)
      assert.strictEqual(found.blacklistedReason, "spam")
      assert.strictEqual(found.files?.length, 4)
      assert.include(found.files?.[0]?.fileUrl, "/static/web-videos/private/")
      assert.deepStrictEqual(found.tags, ["seeded"])
    })
  )

  it.effect("sorts by every column both ways", () =>
    Effect.gen(function* () {
      const { videoSortColumns } = yield* Effect.promise(() => import("@kinora/domain/enums/VideoSort"))
      for (const by of videoSortColumns) {
        const up = yield* read({ sort: { by, descending: false }, count: 100 })
        const down = yield* read({ sort: { by, descending: true }, count: 100 })
        assert.deepStrictEqual(
          up.data.map((video) => video.id),
          down.data.map((video) => video.id).toReversed(),
          by
        )
      }
    })
  )
})
