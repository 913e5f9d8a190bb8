import { assert, layer } from "@effect/vitest"
import { bencode } from "@kinora/torrent/metainfo/BencodeWriter"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { VideoImports } from "../../../src/video/import/VideoImports.ts"
import { ask, Crew, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { fieldParts, formBody, formType, type Part } from "../upload/Form.ts"
import { begin, channelId, importNode, see } from "./ImportNode.ts"

const url = "https://127.0.0.1:9/films/A%20film.mp4"
const magnet = `magnet:?xt=urn:btih:${"ab".repeat(20)}&dn=From+a+swarm`

/** A torrent of files by name and size. */
const torrent = (files: Record<string, number>): Buffer =>
  Buffer.from(
    bencode({
      info: {
        name: "a folder",
        "piece length": 16_384,
        pieces: Buffer.alloc(20),
        files: Object.entries(files).map(([name, length]) => ({ length, path: [name] }))
      }
    })
  )

const form = Effect.fnUntraced(function* (parts: ReadonlyArray<Part>) {
  const token = (yield* Crew).owner
  return yield* send("/api/v1/videos/imports", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": formType },
    body: new Uint8Array(formBody([...fieldParts({ channelId: String(yield* channelId("owner_channel")) }), ...parts]))
  })
})

const torrentPart = (content: Buffer): Part => ({
  name: "torrentfile",
  filename: "../Two films.torrent",
  type: "application/x-bittorrent",
  content
})

layer(importNode(), { excludeTestServices: true, timeout: 60_000 })("imports over HTTP", (it) => {
  it.effect("takes an address in, and tells of it", () =>
    Effect.gen(function* () {
      const { json, status } = yield* begin({ targetUrl: url, privacy: 2, tags: ["one", "two"], nsfw: true })
      assert.strictEqual(status, 200, JSON.stringify(json))
      assert.deepInclude(json, {
        targetUrl: url,
        magnetUri: null,
        torrentName: null,
        state: { id: 1, label: "Pending" },
        attempts: 0
      })
      assert.deepInclude(json.video, { name: "A film.mp4", state: { id: 3, label: "To import" }, nsfw: true })
      assert.notProperty(json, "error")
      const mine = yield* ask("owner", "GET", `/users/me/videos/imports?targetUrl=${encodeURIComponent(url)}`)
      assert.strictEqual(mine.json.total, 1)
      assert.strictEqual(mine.json.data[0].id, json.id)
      const found = yield* ask("owner", "GET", "/users/me/videos/imports?search=films&sort=createdAt")
      assert.include(
        found.json.data.map((one: { id: number }) => one.id),
        json.id
      )
      // Nobody else sees the video before it is there.
      assert.strictEqual((yield* ask("anonymous", "GET", `/videos/${json.video.uuid}`)).status, 404)
      const own = yield* ask("owner", "GET", `/videos/${json.video.uuid}`)
      assert.deepInclude(own.json, { privacy: { id: 2, label: "Unlisted" }, tags: ["one", "two"] })
      const jobs = yield* ask("administrator", "GET", "/jobs/waiting?jobType=video-import")
      assert.isTrue(jobs.json.data.some((job: { data: { importId: number } }) => job.data.importId === json.id))
    })
  )

  it.effect("takes forms with pictures, magnet links and torrents", () =>
    Effect.gen(function* () {
      const red = yield* Effect.promise(() =>
        sharp({ create: { width: 900, height: 500, channels: 3, background: "#f00" } })
          .png()
          .toBuffer()
      )
      const picture: Part = { name: "thumbnailfile", filename: "a.png", type: "image/png", content: red }
      const withPicture = yield* form([...fieldParts({ targetUrl: url, name: "Given" }), picture])
      assert.strictEqual(withPicture.status, 200, withPicture.text)
      assert.strictEqual((yield* send(withPicture.json.video.previewPath)).status, 200)
      const linked = yield* form(fieldParts({ magnetUri: magnet }))
      assert.deepInclude(linked.json, { magnetUri: magnet, targetUrl: null })
      assert.strictEqual(linked.json.video.name, "From a swarm")
      const single = yield* form([torrentPart(torrent({ "film.mkv": 99, "readme.txt": 1 }))])
      assert.strictEqual(single.status, 200, single.text)
      assert.deepInclude(single.json, { torrentName: "Two films.torrent" })
      assert.strictEqual(single.json.video.name, "Two films")
    })
  )

  it.effect("refuses what cannot be imported, and says why", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(refused(yield* begin({ name: "No source" })), ["targetUrl"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: "not a url" })), ["targetUrl"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: "ftp://127.0.0.1/a.mp4" })), ["targetUrl"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: "https://me:secret@127.0.0.1/a.mp4" })), ["targetUrl"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: `https://127.0.0.1/${"a".repeat(2000)}` })), [
        "targetUrl"
      ])
      assert.deepStrictEqual(refused(yield* begin({ magnetUri: "magnet:?xt=urn:btih:short", name: "x" })), [
        "magnetUri",
        "name"
      ])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: url, privacy: 5 })), ["videoPasswords"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: url, channelId: 999_999 })), ["channelId"])
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: url }, "stranger")), ["channelId"])
      assert.strictEqual((yield* begin({ targetUrl: url }, "helper")).status, 200)
      assert.strictEqual((yield* begin({ targetUrl: url }, "anonymous")).status, 401)
      // The guard of this node allows loopback alone.
      for (const address of ["https://10.0.0.1/a.mp4", "https://[fd00::1]/a.mp4", "https://169.254.169.254/a"]) {
        assert.strictEqual((yield* begin({ targetUrl: address })).status, 403, address)
      }
      const two = yield* form([torrentPart(torrent({ "a.mp4": 50, "b.mp4": 49 }))])
      assert.deepInclude(two.json, { status: 400, code: "incorrect_files_in_torrent" })
      const none = yield* form([torrentPart(torrent({ "a.txt": 50 }))])
      assert.deepInclude(none.json, { status: 400, code: "incorrect_files_in_torrent" })
      assert.deepStrictEqual(refused(yield* form([torrentPart(Buffer.from("d4:infoi1ee"))])), ["torrentfile"])
      assert.deepStrictEqual(refused(yield* form([torrentPart(Buffer.alloc(204_801, 1))])), ["torrentfile"])
    })
  )

  it.effect("does not begin when the quota is used up", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`update app_user set video_quota = 0 where username = 'owner'`
      const full = yield* begin({ targetUrl: url }, "helper")
      yield* sql`update app_user set video_quota = -1 where username = 'owner'`
      assert.deepInclude(full.json, { status: 413, code: "quota_reached" })
    })
  )

  it.effect("ends, forgets and begins imports again, for those who may", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* begin({ targetUrl: url })
      const at = `/videos/imports/${json.id}`
      const statuses = (method: string, path: string) =>
        Effect.map(
          Effect.forEach(["anonymous", "stranger"] as const, (who) => ask(who, method, path)),
          (answers) => answers.map(({ status }) => status)
        )
      assert.deepStrictEqual(yield* statuses("POST", `${at}/cancel`), [401, 403])
      assert.deepStrictEqual(yield* statuses("POST", `${at}/retry`), [401, 403])
      assert.deepStrictEqual(yield* statuses("DELETE", at), [401, 403])
      assert.strictEqual((yield* ask("owner", "DELETE", at)).status, 409)
      assert.strictEqual((yield* ask("owner", "POST", `${at}/retry`)).status, 409)
      assert.strictEqual((yield* ask("helper", "POST", `${at}/cancel`)).status, 204)
      assert.deepInclude(yield* see(json.id), { state: 5, videoState: 12 })
      assert.strictEqual((yield* ask("owner", "POST", `${at}/cancel`)).status, 409)
      const jobs = yield* sql<{ state: string }>`
        select state from job where type = 'video-import' and (payload ->> 'importId')::int = ${json.id}`
      assert.deepStrictEqual(jobs, [{ state: "cancelled" }])
      assert.strictEqual((yield* ask("owner", "DELETE", at)).status, 204)
      assert.strictEqual((yield* ask("owner", "GET", `/videos/${json.video.uuid}`)).status, 200)
      for (const path of [at, "/videos/imports/2147483647"]) {
        assert.strictEqual((yield* ask("owner", "DELETE", path)).status, 404)
      }
      assert.deepStrictEqual(refused(yield* ask("owner", "POST", "/videos/imports/abc/cancel")), ["id"])
      assert.deepStrictEqual(refused(yield* ask("owner", "DELETE", "/videos/imports/0")), ["id"])
    })
  )

  it.effect("limits how often an import is tried, and ends with its video", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* begin({ targetUrl: url })
      yield* sql`update video_import set state = 3, attempts = 5 where id = ${json.id}`
      const again = yield* ask("owner", "POST", `/videos/imports/${json.id}/retry`)
      assert.strictEqual(again.status, 409)
      yield* sql`update video_import set state = 6 where id = ${json.id}`
      assert.strictEqual((yield* ask("owner", "DELETE", `/videos/${json.video.uuid}`)).status, 204)
      assert.deepInclude(yield* see(json.id), { state: 5, videoId: null })
      const gone = yield* sql`select 1 from job where (payload ->> 'importId')::int = ${json.id}`
      assert.lengthOf(gone, 0)
    })
  )

  it.effect("imports a URL into a channel once for synchronisations, even when its video is gone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const imports = yield* VideoImports
      const channel = Option.getOrThrow(yield* (yield* UploadChannels).find(yield* channelId("owner_channel")))
      const [owner] = yield* sql<{ userId: number; accountId: number }>`
        select u.id as "userId", a.id as "accountId" from app_user u join account a on a.user_id = u.id
        where u.username = 'owner'`
      const wanted = { ...owner!, channel, fields: { privacy: 3 }, once: true } as const
      const take = (path: string) =>
        imports.create({ ...wanted, source: { _tag: "Url", url: `https://127.0.0.1:9/${path}` } })
      const { id } = yield* take("once.mp4")
      assert.strictEqual((yield* Effect.flip(take("once.mp4")))._tag, "AlreadyImported")
      yield* sql`delete from video where id = ${(yield* see(id)).videoId}`
      assert.strictEqual((yield* Effect.flip(take("once.mp4")))._tag, "AlreadyImported")
      assert.isAbove((yield* take("twice.mp4")).id, id)
    })
  )

  it.effect("lets one user have a hundred imports waiting", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into video_import (user_id, target_url) select id, 'https://example.org/' from app_user,
          generate_series(1, 100) where username = 'owner'`
      const answer = yield* begin({ targetUrl: url })
      yield* sql`delete from video_import where target_url = 'https://example.org/'`
      assert.strictEqual(answer.status, 429)
      assert.isNotNull(answer.headers.get("retry-after"))
    })
  )
})

layer(importNode({ import: { videos: { http: { enabled: false }, torrent: { enabled: false } } } }), {
  excludeTestServices: true,
  timeout: 60_000
})("imports that are switched off", (it) => {
  it.effect("are refused", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* begin({ targetUrl: url })).status, 409)
      assert.strictEqual((yield* begin({ magnetUri: magnet })).status, 409)
      assert.deepStrictEqual(refused(yield* begin({ targetUrl: url, name: "x" })), ["name"])
    })
  )
})
