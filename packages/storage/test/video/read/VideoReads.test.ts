import { assert, layer } from "@effect/vitest"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { VideoDetails } from "@kinora/domain/wire/Video"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoReads } from "../../../src/video/read/VideoReads.ts"
import { ReadModelRefresher } from "../../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoDetails), { onExcessProperty: "error" })
const Services = Layer.mergeAll(VideoReads.layer, ReadModelRefresher.layer).pipe(Layer.provideMerge(TestDatabase))

const read = Effect.fnUntraced(function* (id: string | number, viewer?: { userId: number; accountId: number }) {
  const reads = yield* VideoReads
  return yield* decode((yield* reads.details(parseVideoIdOrUuid(String(id))!, viewer)).body)
})

layer(Services)("VideoReads", (it) => {
  it.effect("answers the contract's details by id, uuid and short uuid, ready or not", () =>
    Effect.gen(function* () {
      yield* prepareReadModels("https://videos.example")
      const { uuids, videoIds } = yield* seedVideos({ videos: 3, accounts: 2, files: 2 })
      const fresh = yield* read(videoIds[0]!)
      const refresher = yield* ReadModelRefresher
      yield* refresher.refresh(100)
      for (const name of [videoIds[0]!, uuids[0]!, uuids[0]!.toUpperCase(), toShortUuid(uuids[0]!)]) {
        assert.deepStrictEqual(yield* read(name), fresh)
      }
      assert.strictEqual(fresh.shortUUID, toShortUuid(uuids[0]!))
      assert.deepStrictEqual(
        fresh.files.map((file) => file.resolution),
        [
          { id: 1080, label: "1080p" },
          { id: 720, label: "720p" }
        ]
      )
      assert.strictEqual(fresh.files[0]!.fileUrl, `https://videos.example/static/web-videos/${uuids[0]}-1080.mp4`)
      assert.notProperty(fresh.files[0], "playlistUrl")
      const playlist = fresh.streamingPlaylists[0]!
      const folder = `https://videos.example/static/streaming-playlists/hls/${uuids[0]}`
      assert.strictEqual(playlist.playlistUrl, `${folder}/${uuids[0]}-master.m3u8`)
      assert.strictEqual(playlist.files[1]!.playlistUrl, `${folder}/${uuids[0]}-720.m3u8`)
      assert.deepStrictEqual(fresh.tags, ["seeded"])
      assert.deepStrictEqual(fresh.trackerUrls, [
        "https://videos.example/tracker/announce",
        "wss://videos.example/tracker/socket"
      ])
      const magnet = new URLSearchParams(fresh.files[0]!.magnetUri!.slice("magnet:?".length))
      assert.strictEqual(magnet.get("dn"), "Seeded video number 1")
      assert.strictEqual(magnet.get("ws"), fresh.files[0]!.fileUrl)
      assert.strictEqual(fresh.channel.ownerAccount?.id, fresh.account.id)
    })
  )

  it.effect("serves private videos from private addresses, and says who owns what", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const reads = yield* VideoReads
      const rows = yield* sql<{ id: number; accountId: number; userId: number }>`
        select v.id, a.id as "accountId", a.user_id as "userId" from video v join account a on a.id = v.account_id limit 1`
      const { id, accountId, userId } = rows[0]!
      yield* sql`update video set privacy = 3, state = 2 where id = ${id}`
      const video = yield* read(id)
      assert.include(video.files[0]!.fileUrl, "/static/web-videos/private/")
      assert.include(video.streamingPlaylists[0]!.files[0]!.fileUrl, "/static/streaming-playlists/hls/private/")
      assert.deepStrictEqual(video.state, { id: 2, label: "To transcode" })
      const access = yield* reads.access(parseVideoIdOrUuid(String(id))!)
      assert.deepInclude(access, {
        privacy: 3,
        state: 2,
        accountId,
        ownerUserId: userId,
        blacklisted: false,
        remote: false
      })
    })
  )

  it.effect("shows changes of files, account and followers at the next read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresher = yield* ReadModelRefresher
      yield* refresher.refresh(100)
      const rows = yield* sql<{
        id: number
        account: number
      }>`select id, account_id as account from video order by id desc`
      const { account, id } = rows[0]!
      yield* sql`delete from video_file where video_id = ${id} and resolution = 1080`
      yield* sql`update video_file set size = 5 where streaming_playlist_id in
        (select id from streaming_playlist where video_id = ${id}) and resolution = 720`
      yield* sql`update actor set followers_count = 7 where id = (select actor_id from account where id = ${account})`
      yield* sql`update account set description = 'New words' where id = ${account}`
      const video = yield* read(id)
      assert.strictEqual(video.files.length, 1)
      assert.strictEqual(video.streamingPlaylists[0]!.files[1]!.size, 5)
      assert.strictEqual(video.account.followersCount, 7)
      assert.strictEqual(video.channel.ownerAccount?.description, "New words")
    })
  )

  it.effect("adds what the viewer has seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ id: number; userId: number; accountId: number }>`
        select v.id, a.user_id as "userId", a.id as "accountId" from video v, account a limit 1`
      const viewer = rows[0]!
      assert.notProperty(yield* read(viewer.id, viewer), "userHistory")
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        values (${viewer.userId}, ${viewer.id}, 12)`
      assert.deepStrictEqual((yield* read(viewer.id, viewer)).userHistory, { currentTime: 12 })
    })
  )

  it.effect("fails for a video that is not there", () =>
    Effect.gen(function* () {
      const reads = yield* VideoReads
      for (const name of ["2147483647", "00000000-0000-0000-0000-000000000000"]) {
        const error = yield* Effect.flip(reads.details(parseVideoIdOrUuid(name)!))
        assert.strictEqual(error._tag, "VideoNotFound")
      }
    })
  )

  it.effect("never keeps an answer older than the last change", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresher = yield* ReadModelRefresher
      const rows = yield* sql<{ id: number; account: number }>`select id, account_id as account from video limit 1`
      const { account, id } = rows[0]!
      for (let round = 0; round < 40; round++) {
        yield* Effect.all(
          [
            refresher.refresh(100),
            sql`update account set display_name = ${`Owner ${round}`} where id = ${account}`,
            refresher.refresh(100),
            sql`update video set name = ${`Name ${round}`} where id = ${id}`
          ],
          { concurrency: "unbounded" }
        )
        yield* refresher.refresh(100)
        const ready = yield* sql<{ summary: string }>`select summary from video_read_model where video_id = ${id}`
        assert.include(ready[0]!.summary, `"name":"Name ${round}"`)
        assert.include(ready[0]!.summary, `"displayName":"Owner ${round}"`)
      }
    })
  )

  it.effect("makes everything anew when the origin changes", () =>
    Effect.gen(function* () {
      const refresher = yield* ReadModelRefresher
      yield* refresher.refresh(100)
      yield* prepareReadModels("https://videos.example")
      assert.strictEqual(yield* refresher.refresh(100), 0)
      yield* prepareReadModels("https://moved.example")
      const rows = yield* Effect.flatMap(SqlClient, (sql) => sql<{ id: number }>`select max(id) as id from video`)
      assert.include((yield* read(rows[0]!.id)).files[0]!.fileUrl, "https://moved.example/")
    })
  )
})
