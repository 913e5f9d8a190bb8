import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, type Person } from "../list/People.ts"
import { addVideo, putObject, type TestVideo } from "../list/Videos.ts"
import { downloadNode } from "./DownloadNode.ts"

interface WireFile {
  readonly fileDownloadUrl: string
  readonly torrentDownloadUrl: string
}

const pathOf = (url: string): string => new URL(url).pathname

/** The addresses of downloads that the API gives of a video. */
const addresses = Effect.fn("addresses")(function* ({ token, uuid }: TestVideo) {
  const { administrator } = yield* People
  const details = (yield* send(`/api/v1/videos/${uuid}`, bearer(administrator))).json
  const files = [...details.files, ...details.streamingPlaylists[0].files] as ReadonlyArray<WireFile>
  yield* putObject("torrents", `${token}-hls.torrent`, "HLS torrent")
  return files.flatMap(({ fileDownloadUrl, torrentDownloadUrl }) => [
    pathOf(fileDownloadUrl),
    pathOf(torrentDownloadUrl)
  ])
})

const everybody: ReadonlyArray<Person> = ["anonymous", "other", "owner", "moderator"]

const statuses = Effect.fn("statuses")(function* (path: string) {
  const tokens = yield* People
  const found: Array<number> = []
  for (const person of everybody) {
    found.push((yield* send(path, person === "anonymous" ? {} : bearer(tokens[person]))).status)
  }
  return found.join(" ")
})

layer(downloadNode(), { excludeTestServices: true })("Downloads", (it) => {
  it.effect("the addresses that the API gives lead to files with names and types", () =>
    Effect.gen(function* () {
      const video = yield* addVideo({ owner: "owner" })
      const found = new Map<string, ReadonlyArray<string | null>>()
      for (const path of yield* addresses(video)) {
        const { headers, status, text } = yield* send(path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.strictEqual(headers.get("cache-control"), "public, max-age=0, must-revalidate")
        found.set(text, [headers.get("content-type"), headers.get("content-disposition")])
      }
      assert.deepStrictEqual(
        [...found],
        [
          ["web video bytes", ["video/mp4", `attachment; filename="Video of owner-720p.mp4"`]],
          ["torrent", ["application/x-bittorrent", `attachment; filename="Video of owner-720p.torrent"`]],
          ["fragmented bytes", ["video/mp4", `attachment; filename="Video of owner-720p.mp4"`]],
          ["HLS torrent", ["application/x-bittorrent", `attachment; filename="Video of owner-720p.torrent"`]]
        ]
      )
    })
  )

  it.effect("a name that tries to write headers writes none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      yield* sql`update video set name = ${'a"\r\nset-cookie: x=1\r\n/é'} where id = ${video.id}`
      const { headers } = yield* send(`/download/web-videos/${video.uuid}-720.mp4`)
      assert.isNull(headers.get("set-cookie"))
      assert.strictEqual(
        headers.get("content-disposition"),
        `attachment; filename="a_set-cookie_ x=1_e-720p.mp4"; filename*=UTF-8''a_set-cookie_%20x%3D1_%C3%A9-720p.mp4`
      )
    })
  )

  it.effect("ranges, conditions and HEAD are answered as for any file", () =>
    Effect.gen(function* () {
      const { id } = yield* addVideo({ owner: "owner" })
      const path = `/download/web-videos/${id}-720.mp4`
      const part = yield* send(path, { headers: { range: "bytes=4-8" } })
      assert.deepStrictEqual(
        [part.status, part.text, part.headers.get("content-range")],
        [206, "video", "bytes 4-8/15"]
      )
      assert.strictEqual((yield* send(path, { headers: { range: "bytes=99-" } })).status, 416)
      const head = yield* send(path, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text, head.headers.get("content-length")], [200, "", "15"])
      const etag = head.headers.get("etag") ?? ""
      assert.strictEqual((yield* send(path, { headers: { "if-none-match": etag } })).status, 304)
      assert.strictEqual((yield* send(path, { headers: { "if-match": '"other"' } })).status, 412)
    })
  )

  it.effect("every form of the id leads to the file, nothing else does", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const short = (yield* send(`/api/v1/videos/${uuid}`)).json.shortUUID as string
      for (const name of [id, uuid, uuid.toUpperCase(), short]) {
        assert.strictEqual((yield* send(`/download/web-videos/${name}-720.mp4`)).status, 200, String(name))
      }
      for (const path of [
        `web-videos/${id}-480.mp4`,
        `web-videos/${id}-720.webm`,
        `web-videos/${id}-720-fragmented.mp4`,
        `web-videos/${id}.mp4`,
        `web-videos/99999999999-720.mp4`,
        `web-videos/${uuid}x-720.mp4`,
        `web-videos/%00-720.mp4`,
        `web-videos/..%2f..%2fetc%2fpasswd-720.mp4`,
        `streaming-playlists/hls/videos/${id}-720.mp4`,
        `streaming-playlists/hls/videos/${id}-1080-fragmented.mp4`,
        `torrents/${uuid}.torrent`,
        `torrents/..%2fx.torrent`,
        `original-video-files/none.mov`,
        `nothing`
      ]) {
        const answer = yield* send(`/download/${path}`)
        assert.strictEqual(answer.status, 404, path)
        assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, path)
      }
    })
  )

  it.effect.each([
    ["unlisted", { privacy: 2 }, "200 200 200 200"],
    ["private", { privacy: 3 }, "403 403 200 200"],
    ["internal", { privacy: 4 }, "403 200 200 200"],
    ["password", { privacy: 5, passwords: ["secret"] }, "403 403 200 200"],
    ["blocked", { blacklisted: true }, "403 403 200 200"],
    ["not published", { state: 2 }, "404 404 200 200"]
  ] as const)(
    "%s: one decision for every download, and no cache keeps what is not for everybody",
    ([, options, expected]) =>
      Effect.gen(function* () {
        const { owner } = yield* People
        const video = yield* addVideo({ owner: "owner", ...options })
        const cached = expected.startsWith("200") ? "public, max-age=0, must-revalidate" : "private, no-store"
        for (const path of yield* addresses(video)) {
          assert.strictEqual(yield* statuses(path), expected, path)
          assert.strictEqual((yield* send(path, bearer(owner))).headers.get("cache-control"), cached, path)
        }
      })
  )

  it.effect("row ids open less than a UUID does", () =>
    Effect.gen(function* () {
      const { id } = yield* addVideo({ owner: "owner", privacy: 2 })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* send(`/download/web-videos/${id}-720.mp4`)).status, 404)
      assert.strictEqual((yield* send(`/download/web-videos/${hidden.id}-720.mp4`)).status, 404)
    })
  )

  it.effect("a file token or the password opens the private ones, a bad login nothing", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["secret"] })
      const ask = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(tokens.owner) })
      const { token } = ask.json.files
      for (const path of yield* addresses(video)) {
        assert.strictEqual((yield* send(`${path}?videoFileToken=${token}`)).status, 200, path)
        assert.strictEqual((yield* send(`${path}?videoFileToken=${token}x`)).status, 403, path)
        const password = (text: string) => ({ headers: { "x-peertube-video-password": text } })
        assert.strictEqual((yield* send(path, password("secret"))).status, 200, path)
        const wrong = yield* send(path, password("guess"))
        assert.deepStrictEqual([wrong.status, wrong.json.code], [403, "incorrect_video_password"], path)
        assert.strictEqual((yield* send(path, bearer("0".repeat(40)))).status, 401, path)
      }
    })
  )

  it.effect("an owner who switches downloads off keeps them, as moderators do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      yield* sql`update video set download_enabled = false where id = ${video.id}`
      const generated = `/download/videos/generate/${video.uuid}?videoFileIds=${video.fileId}`
      for (const path of [...(yield* addresses(video)), generated]) {
        assert.strictEqual(yield* statuses(path), "403 403 200 200", path)
      }
      const { administrator } = yield* People
      const own = yield* send(generated, bearer(administrator))
      assert.strictEqual(own.headers.get("cache-control"), "private, no-store")
    })
  )

  it.effect("the file a video was made from is its makers', and whose they gave a token", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner" })
      yield* putObject("original_video_files", `${video.token}.mov`, "original")
      const source = (yield* send(`/api/v1/videos/${video.uuid}/source`, bearer(tokens.owner))).json
      const path = pathOf(source.fileDownloadUrl)
      assert.strictEqual(yield* statuses(path), "403 403 200 200")
      const mine = yield* send(path, bearer(tokens.owner))
      assert.deepStrictEqual(
        [mine.text, mine.headers.get("content-disposition"), mine.headers.get("cache-control")],
        ["original", `attachment; filename="Video of owner.mov"`, "private, no-store"]
      )
      const ask = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(tokens.owner) })
      assert.strictEqual((yield* send(`${path}?videoFileToken=${ask.json.files.token}`)).status, 200)
      const theirs = yield* send(`/api/v1/videos/${video.uuid}/token`, { method: "POST", ...bearer(tokens.other) })
      assert.strictEqual((yield* send(`${path}?videoFileToken=${theirs.json.files.token}`)).status, 403)
      const another = yield* addVideo({ owner: "owner" })
      const other = yield* send(`/api/v1/videos/${another.uuid}/token`, { method: "POST", ...bearer(tokens.owner) })
      assert.strictEqual((yield* send(`${path}?videoFileToken=${other.json.files.token}`)).status, 403)
    })
  )

  it.effect.prop(
    "whatever is asked, the answer is 2xx or 4xx",
    [Schema.String, Schema.String],
    ([name, value]) =>
      Effect.gen(function* () {
        const uuid = "00000000-0000-4000-8000-000000000000"
        const [one, two] = [encodeURIComponent(name.toWellFormed()), encodeURIComponent(value.toWellFormed())]
        for (const path of [
          `videos/generate/${one}?videoFileIds=${two}`,
          `videos/generate/${uuid}?videoFileIds=${two}&videoFileToken=${one}`,
          `web-videos/${one}-${two}.mp4`,
          `streaming-playlists/hls/videos/${uuid}-${two}-fragmented.${one}`,
          `torrents/${one}`,
          `original-video-files/${one}?videoFileToken=${two}`
        ]) {
          const { status } = yield* send(`/download/${path}`)
          assert.isTrue(status < 300 || (status >= 400 && status < 500), `${status} ${path}`)
        }
      }),
    { arbitrary: { runs: 40 }, timeout: 60_000 }
  )
})
