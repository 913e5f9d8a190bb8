import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { redundancyTasks } from "../../../src/federation/redundancy/RedundancyTasks.ts"
import { RedundancyRound } from "../../../src/federation/redundancy/RedundancyRound.ts"
import { RedundancySettings } from "../../../src/federation/redundancy/RedundancySettings.ts"
import { RemoteVideos } from "../../../src/federation/remote/RemoteVideos.ts"
import { told } from "../follow/FarActors.ts"
import { eventually, farInstance } from "../follow/FarInstance.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"

const asRoot = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const { access_token } = yield* login("root", rootPassword)
  return yield* send(`/api/v1${path}`, {
    method,
    headers: { ...bearer(access_token).headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

const mirrored = (target: string) =>
  Effect.map(asRoot("GET", `/server/redundancy/videos?target=${target}`), ({ json }) => json)

const jobs = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ state: string; error: string | null }>`
    select state, error from job where type = 'video-redundancy' order by id`
})

const ended = eventually(jobs, (it) => it.every(({ state }) => state === "completed" || state === "failed"))

/** An instance with videos whose files are there, and their row ids here. */
const farVideos = Effect.fnUntraced(function* (count: number) {
  const far = yield* farInstance
  const owner = far.actor("Person", "ann")
  const channel = far.actor("Group", "ann_channel", { attributedTo: [owner] })
  const videos = yield* RemoteVideos
  const made = []
  for (let n = 1; n <= count; n++) {
    const url = far.video(n, channel, owner)
    const uuid = url.slice(url.lastIndexOf("/") + 1)
    const folder = `/static/streaming-playlists/hls/${uuid}`
    far.files.set(
      `${folder}/${uuid}-master.m3u8`,
      Buffer.from(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${uuid}-720.m3u8\n`)
    )
    far.files.set(
      `${folder}/${uuid}-720.m3u8`,
      Buffer.from(
        `#EXTM3U\n#EXT-X-MAP:URI="${uuid}-720-fragmented.mp4",BYTERANGE="9@0"\n#EXTINF:4,\n${uuid}-720-fragmented.mp4\n`
      )
    )
    far.files.set(`${folder}/segments.json`, Buffer.from("{}"))
    far.files.set(`${folder}/${uuid}-720-fragmented.mp4`, Buffer.alloc(1000, n))
    const { id } = yield* videos.byUrl(url)
    made.push({ id, uuid, url, folder })
  }
  return { far, channel, videos: made }
})

const working = redundancyTasks.pipe(Layer.provideMerge(testNode()))

layer(working, { excludeTestServices: true, timeout: 60_000 })("copies of videos", (it) => {
  it.effect("are made of the videos of others, served, told of and removed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { channel, far, videos } = yield* farVideos(2)
      const [video, broken] = videos as [(typeof videos)[0], (typeof videos)[0]]
      yield* told
      const own = yield* addVideo({ owner: "root" })
      for (const [videoId, status] of [
        [own.id, 400],
        [999_999, 404],
        [own.uuid, 400],
        [randomUUID(), 404],
        ["x", 400],
        [toShortUuid(video.uuid), 204]
      ] as const) {
        assert.strictEqual(
          (yield* asRoot("POST", "/server/redundancy/videos", { videoId })).status,
          status,
          String(videoId)
        )
      }
      yield* ended
      const [listed] = (yield* mirrored("remote-videos")).data
      const [copy] = listed.redundancies.streamingPlaylists
      const folder = `http://localhost:9000/static/redundancy/hls/${video.uuid}`
      assert.deepInclude(listed, { id: video.id, name: "Far video 1", url: video.url, uuid: video.uuid })
      assert.deepInclude(copy, { fileUrl: folder, strategy: "manual", expiresOn: null })
      assert.isAbove(copy.size, 1000)
      assert.strictEqual((yield* asRoot("POST", "/server/redundancy/videos", { videoId: video.id })).status, 409)

      const details = (yield* asRoot("GET", `/videos/${video.uuid}`)).json
      assert.deepStrictEqual(details.streamingPlaylists[0].redundancies, [{ baseUrl: folder }])
      const served = `/static/redundancy/hls/${video.uuid}/${video.uuid}`
      assert.include((yield* send(`${served}-master.m3u8`)).text, `${video.uuid}-720.m3u8`)
      const part = yield* send(`${served}-720-fragmented.mp4`, { headers: { range: "bytes=10-19" } })
      assert.deepStrictEqual([part.status, part.text.length], [206, 10])
      const cacheFile = `http://localhost:9000/redundancy/streaming-playlists/hls/${video.uuid}`
      assert.deepStrictEqual(yield* told, [`Create ${cacheFile} to ${channel}/inbox`])

      // Files that lie elsewhere, or under other names, are not copied.
      far.files.set(`${broken.folder}/${broken.uuid}-720.m3u8`, Buffer.from("#EXTM3U\n#EXTINF:4,\n../../x.mp4\n"))
      assert.strictEqual((yield* asRoot("POST", "/server/redundancy/videos", { videoId: broken.id })).status, 204)
      assert.deepInclude((yield* ended)[1], { state: "failed" })
      assert.strictEqual((yield* mirrored("remote-videos")).total, 1)

      assert.strictEqual((yield* asRoot("DELETE", `/server/redundancy/videos/${copy.id}`)).status, 204)
      assert.strictEqual((yield* asRoot("DELETE", `/server/redundancy/videos/${copy.id}`)).status, 404)
      assert.strictEqual((yield* asRoot("DELETE", "/server/redundancy/videos/x")).status, 400)
      assert.deepStrictEqual(yield* told, [`Undo ${cacheFile}/activity to ${channel}/inbox`])
      const [queued] = yield* sql<{ count: number }>`
        select count(*)::int as count from object_removal
        where bucket = 'redundancy' and name like ${`${video.uuid}/%`}`
      assert.strictEqual(queued?.count, 4)
      const after = (yield* asRoot("GET", `/videos/${video.uuid}`)).json
      assert.deepStrictEqual(after.streamingPlaylists[0].redundancies, [])
    }).pipe(Effect.scoped)
  )

  it.effect("others keep of ours are listed, and can be forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const own = yield* addVideo({ owner: "root" })
      yield* sql`
        insert into video_redundancy (video_id, streaming_playlist_id, actor_id, url, base_url)
        select ${own.id}, s.id, a.id, 'https://far.example/c', 'https://far.example/hls'
        from streaming_playlist s, actor a where s.video_id = ${own.id} and a.server_id is not null limit 1`
      const { data, total } = yield* mirrored("my-videos")
      assert.deepStrictEqual(
        [total, data[0].name, data[0].redundancies.streamingPlaylists[0].strategy],
        [1, "Video of root", null]
      )
      const { id } = data[0].redundancies.streamingPlaylists[0]
      assert.deepStrictEqual((yield* send(`/api/v1/videos/${own.id}`)).json.streamingPlaylists[0].redundancies, [
        { baseUrl: "https://far.example/hls" }
      ])
      assert.strictEqual((yield* asRoot("DELETE", `/server/redundancy/videos/${id}`)).status, 204)
      assert.strictEqual((yield* mirrored("my-videos")).total, 0)
      for (const query of ["", "?target=all", "?target=my-videos&sort=size", "?target=my-videos&count=1000"]) {
        assert.strictEqual((yield* asRoot("GET", `/server/redundancy/videos${query}`)).status, 400, query)
      }
    })
  )
})

const keeping = (accept_from: "nobody" | "anybody" | "followings") =>
  RedundancyRound.layer.pipe(
    Layer.provideMerge(redundancyTasks),
    Layer.provide(RedundancySettings.layer),
    Layer.provideMerge(testNode({ remote_redundancy: { videos: { accept_from } } }))
  )

for (const [from, kept] of [
  ["anybody", ["followed", "unfollowed"]],
  ["followings", ["followed"]],
  ["nobody", []]
] as const) {
  layer(keeping(from), { excludeTestServices: true, timeout: 60_000 })(`copies of ours, taken of ${from}`, (it) => {
    it.effect("are forgotten where they are not taken any more", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const round = yield* RedundancyRound
        yield* sql`insert into server (host) values ('followed.example'), ('unfollowed.example')`
        yield* sql`insert into actor (type, preferred_username, url, inbox_url, outbox_url, server_id, public_key)
          select 'Application', 'peertube', 'https://' || host, 'https://' || host || '/inbox', 'https://' || host || '/outbox', id, ''
          from server where host like '%followed.example'`
        yield* sql`insert into actor_follow (actor_id, target_actor_id, state, url)
          select o.id, t.id, 'accepted', 'https://ours.example/f/' || t.id from actor o, actor t
          where o.server_id is null and o.type = 'Application' and t.url = 'https://followed.example'`
        // A user alone cannot let an instance serve its copies to everybody.
        yield* sql`insert into actor_follow (actor_id, target_actor_id, state, url)
          select o.id, t.id, 'accepted', 'https://ours.example/u/' || t.id from actor o, actor t
          where o.server_id is null and o.type = 'Person' and t.url = 'https://unfollowed.example'`
        const copy = Effect.fnUntraced(function* (name: string, keeper: string, expires: string) {
          const { id } = yield* addVideo({ owner: "root" })
          yield* sql`
            insert into video_redundancy (video_id, streaming_playlist_id, actor_id, url, base_url, expires_at)
            select ${id}, s.id, a.id, ${`https://${keeper}/${name}`}, ${`https://${keeper}/${name}`}, ${expires}::timestamptz
            from streaming_playlist s, actor a where s.video_id = ${id} and a.url = ${`https://${keeper}`}`
        })
        yield* copy("followed", "followed.example", "2100-01-01")
        yield* copy("expired", "followed.example", "2001-01-01")
        yield* copy("unfollowed", "unfollowed.example", "2100-01-01")
        yield* round.run
        const left = yield* sql<{ url: string }>`select url from video_redundancy order by url`
        assert.deepStrictEqual(
          left.map(({ url }) => url.slice(url.lastIndexOf("/") + 1)),
          [...kept]
        )
      })
    )
  })
}

const strategies = [{ size: "33 MB", min_lifetime: "1 hour", strategy: "most-views" as const, min_views: 2 }]
const choosing = RedundancyRound.layer.pipe(
  Layer.provideMerge(redundancyTasks),
  Layer.provide(RedundancySettings.layer),
  Layer.provideMerge(testNode({ redundancy: { videos: { strategies } } }))
)

layer(choosing, { excludeTestServices: true, timeout: 60_000 })("strategies", (it) => {
  it.effect("copy of allowed instances what is watched most, within their room", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const round = yield* RedundancyRound
      const { far, videos } = yield* farVideos(4)
      const held = sql<{ name: string; strategy: string }>`
        select v.name, r.strategy from video_redundancy r join video v on v.id = r.video_id order by v.name`
      yield* sql`update video_file set size = 17 * 1024 * 1024 where streaming_playlist_id in (
        select id from streaming_playlist where video_id = ${videos[1]!.id})`
      yield* round.run
      assert.deepStrictEqual(yield* jobs, [], "no instance is allowed yet")
      const allow = (host: string, redundancyAllowed: unknown) =>
        Effect.map(asRoot("PUT", `/server/redundancy/${host}`, { redundancyAllowed }), ({ status }) => status)
      assert.deepStrictEqual(
        [yield* allow("nowhere.example", true), yield* allow(far.host, "perhaps"), yield* allow(far.host, true)],
        [404, 400, 204]
      )
      yield* round.run
      yield* ended
      // The first is watched too little.
      assert.deepStrictEqual(
        (yield* held).map(({ name }) => name),
        ["Far video 2", "Far video 3", "Far video 4"]
      )
      yield* round.run
      assert.strictEqual((yield* jobs).length, 3)

      // A better one takes the place of what has had its time; the rest stays for longer.
      yield* sql`update video_redundancy set expires_at = now() - interval '1 minute', size = 16 * 1024 * 1024`
      yield* sql`update video set views = 100 where id = ${videos[0]!.id}`
      yield* sql`update video_redundancy set expires_at = now() - interval '2 minutes' where video_id = ${videos[3]!.id}`
      yield* told
      yield* round.run
      yield* ended
      assert.deepStrictEqual(
        (yield* held).map(({ name }) => name),
        ["Far video 1", "Far video 2", "Far video 3"]
      )
      assert.deepStrictEqual((yield* told).map((it) => it.split(" ")[0]).sort(), ["Create", "Undo", "Update", "Update"])
      const [{ bytes } = { bytes: 0 }] = yield* sql<{ bytes: number }>`
        select sum(size)::float8 as bytes from video_redundancy`
      assert.deepStrictEqual((yield* send("/api/v1/server/stats")).json.videosRedundancy, [
        { totalUsed: bytes, totalVideoFiles: 3, totalVideos: 3, strategy: "most-views", totalSize: 33 * 1024 ** 2 },
        { totalUsed: 0, totalVideoFiles: 0, totalVideos: 0, strategy: "manual", totalSize: null }
      ])

      assert.strictEqual(yield* allow(far.host, false), 204)
      assert.deepStrictEqual(yield* held, [])
      assert.strictEqual((yield* told).length, 3)
      assert.strictEqual(yield* (yield* RedundancyRows).remove(1), false)
    }).pipe(Effect.scoped)
  )
})
