import { diskPath } from "../../../../storage/test/support/objects/DiskPath.ts"
import { assert, layer } from "@effect/vitest"
import { Probe } from "@kinora/media/probe/Probe"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, FileSystem } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { type Origin, startOrigin, until } from "../../federation/remote/Origin.ts"
import { send } from "../../instance/about/Client.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { smallTorrent } from "../../support/SmallTorrent.ts"
import { plainClip } from "../upload/Clips.ts"
import { downloadNode, splitVideo } from "./DownloadNode.ts"

const fileName = (hasVideo: boolean) => (hasVideo ? "/video.mp4" : "/audio.mp4")

/** A video whose sound is a rendition of its own, on another instance. */
const videoElsewhere = Effect.fn("videoElsewhere")(function* (origin: Origin, name: string) {
  const sql = yield* SqlClient
  const store = yield* ObjectStore
  const made = yield* splitVideo(plainClip(), name)
  const sizes = new Map<string, number>()
  for (const [id, hasVideo] of [
    [made.video, true],
    [made.audio, false]
  ] as const) {
    const [row] = yield* sql<{ filename: string }>`select filename from video_file where id = ${id}`
    const key = { bucket: "streaming_playlists", name: `${made.uuid}/${row!.filename}` } as const
    const bytes = readFileSync(yield* diskPath(store, key))
    const path = fileName(hasVideo)
    sizes.set(path, bytes.length)
    origin.answer(path, (_request, response) => response.writeHead(200, { "content-type": "video/mp4" }).end(bytes))
    yield* sql`
      update video_file set filename = null, file_url = ${origin.origin + path}, size = ${bytes.length} where id = ${id}`
  }
  yield* sql`update video set remote = true where uuid = ${made.uuid}`
  return { ...made, sizes }
})

const bytesOf = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

const whole = Effect.fnUntraced(function* (path: string) {
  const base = yield* baseUrl
  return yield* Effect.promise(() => bytesOf(base + path))
})

/** Files of downloads that lie in the folder of temporary ones. */
const waiting = Effect.gen(function* () {
  const { storage } = yield* KinoraConfig
  return yield* Effect.promise(() => readdir(join(storage.tmp, "downloads")))
})

layer(downloadNode(), { excludeTestServices: true })("Downloads of videos of other instances", (it) => {
  it.effect("are put together here, and single files are handed out", () =>
    Effect.gen(function* () {
      const origin = yield* startOrigin
      const { audio, sizes, uuid, video } = yield* videoElsewhere(origin, "From afar")
      const fs = yield* FileSystem.FileSystem
      const path = `/download/videos/generate/${uuid}`
      const both = yield* whole(`${path}?videoFileIds=${video}&videoFileIds=${audio}`)
      assert.deepStrictEqual(
        [both.status, both.headers.get("content-type"), both.headers.get("content-disposition")],
        [200, "video/mp4", `attachment; filename="From afar-240p.mp4"`]
      )
      const file = yield* fs.makeTempFileScoped({ suffix: ".mp4" })
      yield* fs.writeFile(file, both.bytes)
      const info = yield* (yield* Probe).probe(file)
      assert.deepStrictEqual([info.video?.codec, info.audio.length], ["h264", 1])
      const sound = yield* whole(`${path}?videoFileIds=${audio}`)
      assert.deepStrictEqual(
        [sound.status, sound.headers.get("content-type"), sound.headers.get("content-length")],
        [200, "audio/mp4", String(sizes.get("/audio.mp4"))]
      )
      assert.strictEqual(sound.bytes.length, sizes.get("/audio.mp4"))
      const before = origin.asked.get("/video.mp4")
      assert.strictEqual((yield* send(`${path}?videoFileIds=${video}`, { method: "HEAD" })).status, 200)
      assert.strictEqual(origin.asked.get("/video.mp4"), before)
      yield* until(waiting, (names) => names.length === 0)
    })
  )

  it.effect("have torrents that are copied when somebody asks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const origin = yield* startOrigin
      const { uuid, video } = yield* videoElsewhere(origin, "A torrent")
      const { bytes, infoHash } = smallTorrent()
      const type = { "content-type": "application/x-bittorrent" }
      origin.answer("/a.torrent", (_request, response) => response.writeHead(200, type).end(bytes))
      yield* sql`
        update video_file set torrent_url = ${`${origin.origin}/a.torrent`}, info_hash = ${infoHash} where id = ${video}`
      const { streamingPlaylists } = (yield* send(`/api/v1/videos/${uuid}`)).json
      const files: ReadonlyArray<{ torrentDownloadUrl: string | null }> = streamingPlaylists[0].files
      const urls = files.flatMap(({ torrentDownloadUrl }) => (torrentDownloadUrl === null ? [] : [torrentDownloadUrl]))
      assert.lengthOf(urls, 1)
      for (let times = 0; times < 2; times++) {
        const saved = yield* send(new URL(urls[0]!).pathname)
        assert.deepStrictEqual(
          [saved.status, saved.headers.get("content-type"), saved.headers.get("content-disposition")],
          [200, "application/x-bittorrent", `attachment; filename="A torrent-240p.torrent"`]
        )
      }
      assert.strictEqual(origin.asked.get("/a.torrent"), 1)
    })
  )

  it.effect("fail where the other instance has no such file, or another than it said", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const origin = yield* startOrigin
      const { audio, uuid, video } = yield* videoElsewhere(origin, "Gone")
      const path = `/download/videos/generate/${uuid}?videoFileIds=${video}&videoFileIds=${audio}`
      origin.drop("/audio.mp4")
      assert.strictEqual((yield* send(path)).status, 404)
      origin.answer("/audio.mp4", (_request, response) => response.writeHead(500).end())
      const trouble = yield* send(path)
      assert.deepStrictEqual([trouble.status, trouble.headers.get("retry-after")], [503, "60"])
      yield* sql`update video_file set size = 10 where id = ${video}`
      assert.strictEqual((yield* send(`${path.split("&")[0]}`)).status, 503)
      yield* sql`update video_file set size = ${5 * 1024 ** 3} where id = ${video}`
      assert.strictEqual((yield* send(`${path.split("&")[0]}`)).status, 507)
      yield* until(waiting, (names) => names.length === 0)
    })
  )
})
