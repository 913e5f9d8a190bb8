import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { ask, Crew, crewNode, type Member, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { fieldParts, formBody, formType, type Part } from "../upload/Form.ts"
import { addVideo } from "../list/Videos.ts"

const form = Effect.fnUntraced(function* (who: Member, path: string, parts: ReadonlyArray<Part>) {
  const token = (yield* Crew)[who]
  return yield* send(`/api/v1${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": formType },
    body: new Uint8Array(formBody(parts))
  })
})

const picture = (name: string, content: Buffer | string): Part => ({
  name,
  filename: "a.png",
  type: "image/png",
  content
})

const red = Effect.promise(() =>
  sharp({ create: { width: 900, height: 500, channels: 3, background: "#f00" } })
    .png()
    .toBuffer()
)

const details = (uuid: string, who: Member = "owner") =>
  Effect.map(ask(who, "GET", `/videos/${uuid}`), ({ json }) => json)

const channelOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ id: number }>`
    select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = ${name}::citext`
  return row!.id
})

const everything = {
  name: "Another name",
  category: 2,
  licence: 3,
  language: "fr",
  description: "More about it",
  support: "Buy us a tea",
  tags: ["tea", "Two words"],
  nsfw: true,
  nsfwFlags: 2,
  nsfwSummary: "Explosions",
  commentsPolicy: 2,
  downloadEnabled: false,
  originallyPublishedAt: "2001-02-03T04:05:06.000Z"
}

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("PUT /videos/{id}", (it) => {
  it.effect("changes what is given and leaves the rest", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const before = yield* details(uuid)
      assert.strictEqual((yield* ask("owner", "PUT", `/videos/${uuid}`, everything)).status, 204)
      const after = yield* details(uuid)
      assert.deepInclude(after, {
        name: "Another name",
        category: { id: 2, label: "Films" },
        licence: { id: 3, label: "Attribution - No Derivatives" },
        language: { id: "fr", label: "French" },
        description: "More about it",
        support: "Buy us a tea",
        nsfw: true,
        nsfwFlags: 2,
        nsfwSummary: "Explosions",
        commentsPolicy: { id: 2, label: "Disabled" },
        downloadEnabled: false,
        originallyPublishedAt: "2001-02-03T04:05:06.000Z",
        privacy: before.privacy,
        publishedAt: before.publishedAt,
        waitTranscoding: before.waitTranscoding
      })
      assert.deepStrictEqual(after.tags.toSorted(), ["Two words", "tea"])
      assert.isAbove(Date.parse(after.updatedAt), Date.parse(before.updatedAt))
      const cleared = {
        category: null,
        licence: null,
        language: null,
        description: null,
        support: null,
        tags: [],
        nsfw: false,
        originallyPublishedAt: null,
        waitTranscoding: true
      }
      assert.strictEqual((yield* ask("owner", "PUT", `/videos/${uuid}`, cleared)).status, 204)
      const empty = yield* details(uuid)
      assert.deepInclude(empty, {
        name: "Another name",
        category: { id: null, label: "Unknown" },
        description: null,
        support: null,
        tags: [],
        nsfw: false,
        nsfwFlags: 0,
        nsfwSummary: "",
        originallyPublishedAt: null,
        waitTranscoding: before.waitTranscoding
      })
      // The lists tell the same.
      const { json } = yield* ask("anonymous", "GET", "/videos?search=&count=100")
      const listed = json.data.find((one: { uuid: string }) => one.uuid === uuid)
      assert.deepInclude(listed, { name: "Another name", nsfw: false, category: { id: null, label: "Unknown" } })
    })
  )

  it.effect("reads forms, as clients send them, with their pictures", () =>
    Effect.gen(function* () {
      const { id, token, uuid } = yield* addVideo({ owner: "owner" })
      const large = yield* red
      const parts = [
        ...fieldParts({ name: "From a form", category: "null", nsfw: "false", "tags[0]": "tea", "tags[1]": "cake" }),
        ...fieldParts({ "scheduleUpdate[updateAt]": "2100-01-01T00:00:00Z", "scheduleUpdate[privacy]": "1" }),
        picture("thumbnailfile", large)
      ]
      assert.strictEqual((yield* form("owner", `/videos/${id}`, parts)).status, 204)
      const after = yield* details(uuid)
      assert.deepInclude(after, {
        name: "From a form",
        tags: ["cake", "tea"],
        scheduledUpdate: { updateAt: "2100-01-01T00:00:00.000Z", privacy: 1 }
      })
      for (const [path, width] of [
        [after.thumbnailPath, 280],
        [after.previewPath, 850]
      ] as const) {
        assert.notInclude(path, token)
        const base = yield* send(path)
        assert.strictEqual(base.status, 200, path)
        assert.strictEqual(base.headers.get("content-type"), "image/jpeg")
        const sizes = after.thumbnails.map((one: { width: number }) => one.width)
        assert.include(sizes, width)
      }
      const sql = yield* SqlClient
      const old = yield* sql`select name from object_removal where name in (${`${token}.jpg`}, ${`${token}-large.jpg`})`
      assert.lengthOf(old, 2)
      const [fresh] = yield* sql<{ count: number }>`
        select count(*)::int as count from object_removal r join thumbnail t on t.filename = r.name
        where t.video_id = ${id}`
      assert.strictEqual(fresh!.count, 0)
      const small = after.thumbnailPath
      assert.strictEqual((yield* form("owner", `/videos/${id}`, [picture("previewfile", large)])).status, 204)
      const again = yield* details(uuid)
      assert.strictEqual(again.thumbnailPath, small)
      assert.notStrictEqual(again.previewPath, after.previewPath)
      const removed = yield* ask("owner", "PUT", `/videos/${id}`, { scheduleUpdate: null })
      assert.strictEqual(removed.status, 204)
      assert.isUndefined((yield* details(uuid)).scheduledUpdate)
      const urlencoded = yield* send(`/api/v1/videos/${id}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${(yield* Crew).owner}` },
        body: new URLSearchParams({ name: "As a plain form" })
      })
      assert.strictEqual(urlencoded.status, 204)
      assert.strictEqual((yield* details(uuid)).name, "As a plain form")
    })
  )

  it.effect("is for its people and moderators, and is told in the channel's activities", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const statuses: Record<string, number> = {}
      for (const who of ["anonymous", "stranger", "helper", "moderator", "owner"] as const) {
        statuses[who] = (yield* ask(who, "PUT", `/videos/${uuid}`, { name: `By ${who}` })).status
      }
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 204, moderator: 204, owner: 204 })
      assert.strictEqual((yield* details(uuid)).name, "By owner")
      const { json } = yield* ask("owner", "GET", "/video-channels/owner_channel/activities?count=3")
      assert.deepStrictEqual(
        json.data.map((one: { account: { name: string }; action: object; video: { name: string } }) => [
          one.account.name,
          one.action,
          one.video.name
        ]),
        ["owner", "moderator", "helper"].map((who) => [who, { id: 2, label: "Update" }, `By ${who}`])
      )
      assert.strictEqual((yield* ask("owner", "PUT", "/videos/4294967", { name: "Nothing there" })).status, 404)
      assert.deepStrictEqual(refused(yield* ask("owner", "PUT", "/videos/-1", { name: "No id" })), ["id"])
      const remote = yield* addVideo({ owner: "owner" })
      const sql = yield* SqlClient
      yield* sql`update video set remote = true where id = ${remote.id}`
      for (const who of ["owner", "moderator"] as const) {
        assert.strictEqual((yield* ask(who, "PUT", `/videos/${remote.uuid}`, { name: "Elsewhere" })).status, 403)
      }
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* ask("stranger", "PUT", `/videos/${hidden.id}`, { name: "Guessed" })).status, 404)
      assert.strictEqual((yield* ask("stranger", "PUT", `/videos/${hidden.uuid}`, { name: "Guessed" })).status, 403)
      assert.strictEqual((yield* details(hidden.uuid)).name, "Video of owner")
    })
  )

  it.effect("names every field it refuses and changes nothing then", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const put = (body: unknown) => ask("owner", "PUT", `/videos/${uuid}`, body)
      const bad = {
        name: "ab",
        privacy: 9,
        tags: ["a"],
        category: 999,
        nsfwFlags: 64,
        scheduleUpdate: { updateAt: "soon" },
        originallyPublishedAt: "2001-02-30",
        support: "good enough"
      }
      assert.deepStrictEqual(refused(yield* put(bad)), [
        "category",
        "name",
        "nsfwFlags",
        "originallyPublishedAt",
        "privacy",
        "scheduleUpdate",
        "tags"
      ])
      for (const body of ["[]", '"x"', "null", "{"]) assert.strictEqual((yield* put(body)).status, 400, body)
      assert.strictEqual((yield* put("\u0000")).status, 400)
      const notPictures = [picture("thumbnailfile", "<svg onload=alert(1)>"), ...fieldParts({ name: "Not taken" })]
      assert.deepStrictEqual(refused(yield* form("owner", `/videos/${uuid}`, notPictures)), ["thumbnailfile"])
      const huge = [picture("thumbnailfile", Buffer.alloc(8 * 1024 * 1024 + 1, 1))]
      assert.deepStrictEqual(refused(yield* form("owner", `/videos/${uuid}`, huge)), ["thumbnailfile"])
      // A picture that was right goes with a change that was not.
      const sql = yield* SqlClient
      const left = yield* sql`select 1 from object_removal where bucket = 'thumbnails' and not_before <= now()`
      const locked = [picture("thumbnailfile", yield* red), ...fieldParts({ privacy: "5" })]
      assert.deepStrictEqual(refused(yield* form("owner", `/videos/${uuid}`, locked)), ["videoPasswords"])
      const gone = yield* sql`select 1 from object_removal where bucket = 'thumbnails' and not_before <= now()`
      assert.strictEqual(gone.length - left.length, 2)
      const other = yield* send(`/api/v1/videos/${uuid}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${(yield* Crew).owner}`, "content-type": "text/plain" },
        body: "name=x"
      })
      assert.strictEqual(other.status, 415)
      assert.deepInclude(yield* details(uuid), { name: "Video of owner", support: null })
    })
  )

  it.effect("moves to another channel of the owner in which one may publish", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const made = yield* ask("owner", "POST", "/video-channels", { name: "second_channel", displayName: "Second" })
      assert.strictEqual(made.status, 200)
      const second = yield* channelOf("second_channel")
      const move = (who: Member, channelId: number) => ask(who, "PUT", `/videos/${uuid}`, { channelId })
      const where = Effect.map(details(uuid), ({ channel }) => channel.name)
      assert.deepStrictEqual(refused(yield* move("helper", second)), ["channelId"])
      assert.deepStrictEqual(refused(yield* move("moderator", second)), ["channelId"])
      assert.deepStrictEqual(refused(yield* move("owner", yield* channelOf("stranger_channel"))), ["channelId"])
      assert.deepStrictEqual(refused(yield* move("owner", 4_000_000)), ["channelId"])
      assert.strictEqual(yield* where, "owner_channel")
      assert.strictEqual((yield* move("owner", second)).status, 204)
      assert.strictEqual(yield* where, "second_channel")
      const { json } = yield* ask("anonymous", "GET", "/video-channels/second_channel/videos")
      assert.deepStrictEqual(
        json.data.map((one: { id: number }) => one.id),
        [id]
      )
      // Whole forms of moderators name the channel the video is in.
      assert.strictEqual((yield* move("moderator", second)).status, 204)
      assert.strictEqual((yield* move("helper", second)).status, 403)
    })
  )

  it.effect("changes the privacy with the files, and who the passwords are for", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const put = (body: unknown) => ask("owner", "PUT", `/videos/${uuid}`, body)
      const file = Effect.map(details(uuid), ({ files }) => new URL(files[0].fileUrl).pathname)
      const open = yield* file
      const published = (yield* details(uuid)).publishedAt
      assert.strictEqual((yield* put({ privacy: 1, name: "Still public" })).status, 204)
      assert.strictEqual(yield* file, open)
      assert.deepStrictEqual(refused(yield* put({ privacy: 5 })), ["videoPasswords"])
      assert.deepStrictEqual(refused(yield* put({ privacy: 5, videoPasswords: [] })), ["videoPasswords"])
      assert.strictEqual((yield* send(open)).status, 200)
      assert.strictEqual((yield* put({ privacy: 5, videoPasswords: ["sesame", "abracadabra"] })).status, 204)
      const closed = yield* file
      assert.match(closed, /^\/static\/web-videos\/private\//)
      assert.strictEqual((yield* send(closed)).status, 403)
      const asks = (password: string) =>
        send(`/api/v1/videos/${uuid}`, { headers: { "x-peertube-video-password": password } })
      assert.strictEqual((yield* asks("sesame")).status, 200)
      assert.strictEqual((yield* asks("wrong")).json.code, "incorrect_video_password")
      assert.strictEqual((yield* ask("anonymous", "GET", `/videos/${uuid}`)).json.code, "video_requires_password")
      // It has its passwords: the rest of a form does not need them again, and others take their place.
      assert.strictEqual((yield* put({ privacy: 5, name: "Closed" })).status, 204)
      assert.strictEqual((yield* asks("abracadabra")).status, 200)
      assert.strictEqual((yield* put({ videoPasswords: ["mellon"] })).status, 204)
      assert.strictEqual((yield* asks("sesame")).status, 403)
      assert.strictEqual((yield* asks("mellon")).status, 200)
      const refusedList = yield* put({ videoPasswords: [] })
      assert.deepStrictEqual(refused(refusedList), ["videoPasswords"])
      assert.strictEqual((yield* asks("mellon")).status, 200)
      for (const privacy of [3, 4, 2, 1]) {
        assert.strictEqual((yield* put({ privacy })).status, 204)
        assert.strictEqual((yield* details(uuid)).privacy.id, privacy)
        assert.strictEqual((yield* ask("anonymous", "GET", `/videos/${uuid}`)).status, privacy > 2 ? 401 : 200)
      }
      assert.notStrictEqual((yield* details(uuid)).publishedAt, published)
      assert.deepStrictEqual(refused(yield* put({ privacy: 5 })), ["videoPasswords"])
    })
  )

  it.effect("asked for several times at once leaves one whole video", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      yield* ask("owner", "POST", "/video-channels", { name: "third_channel", displayName: "Third" })
      const channels = [yield* channelOf("owner_channel"), yield* channelOf("third_channel")]
      const statuses = yield* Effect.forEach(
        [3, 1, 3, 2, 4, 1],
        (privacy, i) =>
          ask("owner", "PUT", `/videos/${uuid}`, { privacy, name: `Number ${i}`, channelId: channels[i % 2] }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        Array.from({ length: 6 }, () => 204)
      )
      const video = yield* details(uuid)
      const index = Number(video.name.slice(-1))
      assert.strictEqual([3, 1, 3, 2, 4, 1][index], video.privacy.id)
      assert.strictEqual(video.channel.id, channels[index % 2])
      const owner = { headers: { authorization: `Bearer ${(yield* Crew).owner}` } }
      const { pathname } = new URL(video.files[0].fileUrl)
      assert.strictEqual(pathname.includes("/private/"), video.privacy.id > 2)
      assert.strictEqual((yield* send(pathname, owner)).text, "web video bytes")
    })
  )

  it.effect("does not cut videos yet, and says so to who might", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const studio = (who: Member) => ask(who, "POST", `/videos/${uuid}/studio/edit`)
      assert.strictEqual((yield* studio("stranger")).status, 403)
      assert.strictEqual((yield* studio("owner")).status, 501)
    })
  )
})
