import { assert, layer } from "@effect/vitest"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode, type Person } from "../list/People.ts"
import { addVideo, putObject, type TestVideo, type VideoOptions } from "../list/Videos.ts"

/** Every address that leads to a file of the video, as the API names them. */
const addresses = ({ isPrivate, token, uuid }: TestVideo): ReadonlyArray<string> => {
  const folder = isPrivate ? "private/" : ""
  return [
    `/static/web-videos/${folder}${token}-720.mp4`,
    `/static/streaming-playlists/hls/${folder}${uuid}/${token}-master.m3u8`,
    `/static/streaming-playlists/hls/${folder}${uuid}/${token}-720-fragmented.mp4`,
    `/lazy-static/thumbnails/${token}.jpg`,
    `/lazy-static/previews/${token}-large.jpg`,
    `/lazy-static/storyboards/${token}-sprites.jpg`,
    `/lazy-static/video-captions/${token}-en.vtt`,
    `/lazy-static/torrents/${token}.torrent`
  ]
}

const everybody: ReadonlyArray<Person> = ["anonymous", "other", "owner", "moderator"]

const matrix: ReadonlyArray<readonly [string, Partial<VideoOptions>, string]> = [
  ["public", {}, "200 200 200 200"],
  ["unlisted", { privacy: 2 }, "200 200 200 200"],
  ["private", { privacy: 3 }, "403 403 200 200"],
  ["internal", { privacy: 4 }, "403 200 200 200"],
  ["password", { privacy: 5, passwords: ["secret"] }, "403 403 200 200"]
]

layer(peopledNode, { excludeTestServices: true })("Files of videos", (it) => {
  for (const [name, options, expected] of matrix) {
    it.effect(`${name}: one decision for every file`, () =>
      Effect.gen(function* () {
        const tokens = yield* People
        const video = yield* addVideo({ owner: "owner", ...options })
        for (const path of addresses(video)) {
          const statuses: Array<number> = []
          for (const person of everybody) {
            const answer = yield* send(path, person === "anonymous" ? {} : bearer(tokens[person]))
            statuses.push(answer.status)
            if (answer.status !== 200) continue
            const cache = answer.headers.get("cache-control")
            if (video.isPrivate) assert.strictEqual(cache, "private, no-store", path)
            else assert.match(cache ?? "", /^public, /, path)
          }
          assert.strictEqual(statuses.join(" "), expected, path)
        }
      })
    )
  }

  it.effect("a blocked video gives its files only to owner and moderators", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", blacklisted: true })
      for (const path of addresses(video)) {
        const answer = yield* send(path)
        assert.isTrue(answer.status === 403 || answer.status === 404, `${answer.status} ${path}`)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store", path)
      }
      const picture = yield* send(`/lazy-static/thumbnails/${video.token}.jpg`, bearer(tokens.moderator))
      assert.strictEqual(picture.headers.get("cache-control"), "private, no-store")
    })
  )

  it.effect("HLS files are not found by their name alone, nor is that kept by caches", () =>
    Effect.gen(function* () {
      const { token } = yield* addVideo({ owner: "owner" })
      for (const folder of ["", "private/"]) {
        const answer = yield* send(`/static/streaming-playlists/hls/${folder}${token}-master.m3u8`)
        assert.strictEqual(answer.status, 404)
        assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.deepInclude(answer.json, { status: 404, type: "about:blank" })
      }
    })
  )

  it.effect("a file token, or the password, opens the private ones", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      const another = yield* addVideo({ owner: "owner", privacy: 3 })
      const ask = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(tokens.owner) })
      const { token } = ask.json.files
      for (const path of addresses(video)) {
        assert.strictEqual((yield* send(`${path}?videoFileToken=${token}`)).status, 200, path)
        assert.strictEqual((yield* send(`${path}?videoFileToken=${token}x`)).status, 403, path)
        const password = { headers: { "x-peertube-video-password": "secret" } }
        assert.strictEqual((yield* send(path, password)).status, 200, path)
      }
      for (const path of addresses(another)) {
        assert.strictEqual((yield* send(`${path}?videoFileToken=${token}`)).status, 403, path)
      }
    })
  )

  it.effect("a playlist passes the token on when asked to", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      const ask = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(tokens.owner) })
      const query = `videoFileToken=${ask.json.files.token}`
      const folder = `/static/streaming-playlists/hls/private/${video.uuid}`
      const master = yield* send(`${folder}/${video.token}-master.m3u8?${query}&reinjectVideoFileToken=true`)
      assert.strictEqual(master.headers.get("content-type"), "application/vnd.apple.mpegurl")
      assert.include(master.text, `\n${video.token}-720.m3u8?${query}&reinjectVideoFileToken=true\n`)
      const media = yield* send(`${folder}/${video.token}-720.m3u8?${query}&reinjectVideoFileToken=true`)
      assert.include(media.text, `URI="${video.token}-720-fragmented.mp4?${query}"`)
      assert.include(media.text, `\n${video.token}-720-fragmented.mp4?${query}\n`)
      const plain = yield* send(`${folder}/${video.token}-720.m3u8?${query}`)
      assert.notInclude(plain.text, "videoFileToken")
    })
  )

  it.effect("of a video that turns private are gone from their public addresses", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      const path = addresses(video)[0]!
      assert.strictEqual((yield* send(path)).status, 200)
      const sql = yield* SqlClient
      yield* sql`update video set privacy = 3 where id = ${video.id}`
      const answer = yield* send(path).pipe(
        Effect.repeat({ until: ({ status }) => status !== 200, schedule: Schedule.spaced("50 millis") }),
        Effect.timeout("20 seconds")
      )
      assert.strictEqual(answer.status, 404)
    })
  )

  it.effect("that were replaced lead to their successors as long as they are kept, who may see the video", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tokens = yield* People
      for (const [privacy, folder, headers] of [
        [1, "", {}],
        [3, "private/", bearer(tokens.owner)]
      ] as const) {
        const video = yield* addVideo({ owner: "owner", privacy })
        const old = `old-${video.token}-480.mp4`
        yield* putObject(privacy === 1 ? "web_videos" : "web_videos_private", old, "old bytes")
        yield* sql`
          insert into replaced_video_file (filename, video_id, resolution, kept_until)
          values (${old}, ${video.id}, 480, now() + interval '1 minute')`
        const answer = yield* send(`/static/web-videos/${folder}${old}?download=1`, headers)
        assert.deepStrictEqual(
          [answer.status, answer.headers.get("location")],
          [302, `/static/web-videos/${folder}${video.token}-720.mp4?download=1`]
        )
        if (privacy === 3) {
          assert.strictEqual((yield* send(`/static/web-videos/${folder}${old}`)).status, 403)
          assert.strictEqual((yield* send(`/static/web-videos/${old}`)).status, 404)
        }
        const key = { bucket: privacy === 1 ? "web_videos" : "web_videos_private", name: old } as const
        yield* (yield* ObjectStore).remove(key)
        assert.strictEqual((yield* send(`/static/web-videos/${folder}${old}`, headers)).status, 404)
      }
    })
  )

  it.effect("that are deleted are gone when the answer says so", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const video = yield* addVideo({ owner: "owner" })
      const [web, master, segment] = addresses(video)
      const remove = (path: string) =>
        Effect.map(
          send(`/api/v1/videos/${video.uuid}/${path}`, { method: "DELETE", ...bearer(administrator) }),
          ({ status }) => status
        )
      for (const path of [web, master, segment]) assert.strictEqual((yield* send(path!)).status, 200, path)
      // Of an earlier ladder, kept for players.
      const earlier = `${video.uuid}/earlier-720-fragmented.mp4`
      yield* putObject("streaming_playlists", earlier, "earlier bytes")
      const sql = yield* SqlClient
      yield* sql`insert into object_removal (bucket, name, not_before) values ('streaming_playlists', ${earlier}, now() + interval '1 hour')`
      assert.strictEqual((yield* send(`/static/streaming-playlists/hls/${earlier}`)).status, 200)
      assert.strictEqual(yield* remove("hls"), 204)
      for (const path of [master, segment, `/static/streaming-playlists/hls/${earlier}`])
        assert.strictEqual((yield* send(path!)).status, 404, path)
      assert.strictEqual((yield* send(web!)).status, 200)
      assert.strictEqual(yield* remove("web-videos"), 400)

      const another = yield* addVideo({ owner: "owner" })
      const file = addresses(another)[0]!
      assert.strictEqual((yield* send(file)).status, 200)
      const answer = yield* send(`/api/v1/videos/${another.uuid}/web-videos/${another.fileId}`, {
        method: "DELETE",
        ...bearer(administrator)
      })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual((yield* send(file)).status, 404)
    })
  )

  it.effect("come with their media types, ranges and never twice the bytes (UPL-18)", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      const path = `/static/web-videos/${video.token}-720.mp4`
      const whole = yield* send(path)
      assert.deepStrictEqual(
        [whole.headers.get("content-type"), whole.headers.get("cache-control"), whole.headers.get("accept-ranges")],
        ["video/mp4", "public, max-age=31536000, immutable", "bytes"]
      )
      const part = yield* send(path, { headers: { range: "bytes=4-8" } })
      assert.deepStrictEqual(
        [part.status, part.text, part.headers.get("content-range")],
        [206, "video", "bytes 4-8/15"]
      )
      assert.strictEqual((yield* send(path, { headers: { range: "bytes=99-" } })).status, 416)
      const many = yield* send(path, { headers: { range: `bytes=${"0-0,".repeat(5000)}1-1` } })
      assert.isTrue(many.status === 431 || many.text.length <= 15)
      const types: ReadonlyArray<readonly [string, string]> = [
        [`/static/streaming-playlists/hls/${video.uuid}/${video.token}-master.m3u8`, "application/vnd.apple.mpegurl"],
        [`/lazy-static/thumbnails/${video.token}.jpg`, "image/jpeg"],
        [`/lazy-static/video-captions/${video.token}-en.vtt`, "text/vtt; charset=utf-8"],
        [`/lazy-static/torrents/${video.token}.torrent`, "application/x-bittorrent"]
      ]
      for (const [address, type] of types) assert.strictEqual((yield* send(address)).headers.get("content-type"), type)
      assert.strictEqual((yield* send(path, { method: "HEAD" })).headers.get("content-length"), "15")
    })
  )

  it.effect("lie in folders nobody gets out of (UPL-04)", () =>
    Effect.gen(function* () {
      yield* putObject("uploads", "picture.png", "a picture")
      yield* putObject("avatars", "face.png", "a face")
      yield* putObject("well_known", "assetlinks.json", "[]")
      const picture = yield* send("/static/uploads/images/picture.png")
      assert.deepStrictEqual([picture.status, picture.headers.get("content-type")], [200, "image/png"])
      assert.strictEqual((yield* send("/lazy-static/avatars/face.png")).status, 200)
      assert.strictEqual((yield* send("/.well-known/assetlinks.json")).text, "[]")
      const outside = [
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e%2fuploads%2fpicture.png",
        "..%5c..%5cwindows",
        "%2e%2e",
        "%00",
        "face.png%00.jpg",
        "%ff%fe",
        "%E0%A4%A",
        ".hidden",
        "a".repeat(400),
        "%252e%252e%252fpicture.png"
      ]
      const folders = [
        "/lazy-static/avatars/",
        "/lazy-static/thumbnails/",
        "/static/uploads/images/",
        "/static/web-videos/",
        "/static/streaming-playlists/hls/00000000-0000-4000-8000-000000000000/",
        "/.well-known/"
      ]
      for (const folder of folders) {
        for (const name of outside) {
          const { status } = yield* send(folder + name)
          assert.isTrue(status === 404 || status === 400, `${status} ${folder}${name}`)
        }
      }
    })
  )
})
