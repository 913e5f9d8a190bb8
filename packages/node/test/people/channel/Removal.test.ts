import { assert, layer } from "@effect/vitest"
import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { send } from "../../instance/about/Client.ts"
import { formBody, formType } from "../../video/upload/Form.ts"
import { addVideo, type TestVideo } from "../../video/list/Videos.ts"
import { ask, Crew, crewNode, members } from "./Crew.ts"

const channels = "/video-channels"

const make = Effect.fnUntraced(function* (name: string) {
  const made = yield* ask("owner", "POST", channels, { name, displayName: name })
  assert.strictEqual(made.status, 200, made.text)
  return made.json.videoChannel.id as number
})

/** A video of the owner in this channel. */
const videoIn = Effect.fnUntraced(function* (channelId: number, privacy: number) {
  const video = yield* addVideo({ owner: "owner", privacy })
  const sql = yield* SqlClient
  yield* sql`update video set channel_id = ${channelId} where id = ${video.id}`
  return video
}, Effect.orDie)

const objectsOf = ({ isPrivate, token, uuid }: TestVideo): ReadonlyArray<{ bucket: Bucket; name: string }> => {
  const place = isPrivate ? "_private" : ""
  return [
    { bucket: `web_videos${place}` as Bucket, name: `${token}-720.mp4` },
    { bucket: `streaming_playlists${place}` as Bucket, name: `${uuid}/${token}-master.m3u8` },
    { bucket: `streaming_playlists${place}` as Bucket, name: `${uuid}/${token}-720.m3u8` },
    { bucket: `streaming_playlists${place}` as Bucket, name: `${uuid}/${token}-720-fragmented.mp4` },
    { bucket: "thumbnails", name: `${token}.jpg` },
    { bucket: "thumbnails", name: `${token}-large.jpg` },
    { bucket: "storyboards", name: `${token}-sprites.jpg` },
    { bucket: "captions", name: `${token}-en.vtt` },
    { bucket: "torrents", name: `${token}.torrent` }
  ]
}

/** How many of a video's objects are in the store. */
const stored = Effect.fnUntraced(function* (video: TestVideo) {
  const store = yield* ObjectStore
  const found = yield* Effect.forEach(objectsOf(video), (key) => Effect.isSuccess(store.stat(key)))
  return found.filter((there) => there).length
})

const sendPicture = Effect.fnUntraced(function* (channel: string, type: "avatar" | "banner", content: Buffer) {
  const { owner } = yield* Crew
  return yield* send(`/api/v1${channels}/${channel}/${type}/pick`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner}`, "content-type": formType },
    body: new Uint8Array(formBody([{ name: `${type}file`, filename: "a.png", type: "image/png", content }]))
  })
})

const everyObject = 9

layer(Removals.layer.pipe(Layer.provideMerge(crewNode())), { excludeTestServices: true, timeout: 60_000 })(
  "A channel that is deleted",
  (it) => {
    it.effect("takes its videos, its pictures and all their files with it, and nothing else", () =>
      Effect.gen(function* () {
        const id = yield* make("going")
        const gone = [yield* videoIn(id, 1), yield* videoIn(id, 3), yield* videoIn(id, 5)]
        const kept = yield* addVideo({ owner: "stranger" })
        const png = yield* Effect.promise(() =>
          sharp({ create: { width: 60, height: 40, channels: 3, background: "#246" } })
            .png()
            .toBuffer()
        )
        const { avatars } = (yield* sendPicture("going", "avatar", png)).json
        const { banners } = (yield* sendPicture("going", "banner", png)).json
        for (const video of gone) assert.strictEqual(yield* stored(video), everyObject)
        assert.strictEqual((yield* ask("owner", "DELETE", `${channels}/going`)).status, 204)
        assert.strictEqual((yield* ask("owner", "GET", `${channels}/going`)).status, 404)
        for (const video of gone) assert.strictEqual((yield* ask("owner", "GET", `/videos/${video.uuid}`)).status, 404)
        // Files wait for the removal, which a crash cannot lose.
        assert.strictEqual(yield* stored(gone[0]!), everyObject)
        yield* (yield* Removals).execute(500)
        for (const video of gone) assert.strictEqual(yield* stored(video), 0)
        assert.strictEqual(yield* stored(kept), everyObject)
        for (const { path } of [...avatars, ...banners]) assert.strictEqual((yield* send(path)).status, 404)
        const sql = yield* SqlClient
        const left = yield* sql`select 1 from actor where preferred_username = 'going'`
        const queued = yield* sql`select bucket, name from object_removal`
        assert.deepStrictEqual([left.length, queued], [0, []])
      })
    )

    it.effect("is not the only one of its account", () =>
      Effect.gen(function* () {
        const last = yield* ask("stranger", "DELETE", `${channels}/stranger_channel`)
        assert.deepStrictEqual([last.status, last.json.type], [409, "about:blank"])
        assert.strictEqual((yield* ask("moderator", "DELETE", `${channels}/stranger_channel`)).status, 409)
        yield* make("second")
        const both = yield* Effect.all(
          ["owner_channel", "second"].map((name) => ask("owner", "DELETE", `${channels}/${name}`)),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(both.map(({ status }) => status).toSorted(), [204, 409])
        assert.strictEqual((yield* ask("owner", "GET", "/accounts/owner/video-channels")).json.total, 1)
      })
    )

    it.effect("is so by its owner or a moderator", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const statuses: Record<string, number> = {}
        for (const who of members) {
          const id = yield* make(`of-${who}`)
          yield* sql`
            insert into video_channel_collaborator (channel_id, account_id, state)
            select ${id}, a.id, 2 from account a join app_user u on u.id = a.user_id where u.username = 'helper'`
          statuses[who] = (yield* ask(who, "DELETE", `${channels}/of-${who}`)).status
          const there = (yield* ask("anonymous", "GET", `${channels}/of-${who}`)).status
          assert.strictEqual(there, statuses[who] === 204 ? 404 : 200, who)
        }
        assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 403, moderator: 204, owner: 204 })
      })
    )
  }
)
