import { assert, layer } from "@effect/vitest"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { UserExportWorker } from "../../../src/archive/export/UserExportWorker.ts"
import { UserImportWorker } from "../../../src/archive/import/UserImportWorker.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { plainClip } from "../../video/upload/Clips.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { addressOf, announceArchive, archiveNode, bringArchive, json, myId, sendChunk } from "./ArchiveNode.ts"
import { download, readEntries } from "./DownloadedArchive.ts"

const patience = 120_000

const put = (token: string, body: unknown): RequestInit => ({ ...json(token, body), method: "PUT" })

/** What the owner of the first node has: something of each kind. */
const furnish = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { other, owner } = yield* People
  yield* send(
    "/api/v1/users/me",
    put(owner, { displayName: "The Owner", description: "About me", theme: "default", autoPlayVideo: false })
  )
  const made = yield* send(
    "/api/v1/video-channels",
    json(owner, { name: "second_channel", displayName: "Second", description: "More of it", support: "Thank you" })
  )
  assert.strictEqual(made.status, 200, made.text)
  const video = yield* addVideo({ owner: "owner" })
  const liked = yield* addVideo({ owner: "other" })
  const copy = join(yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped(), "clip")
  copyFileSync(plainClip(), copy)
  yield* (yield* ObjectStore).put({ bucket: "original_video_files", name: `${video.token}.mov` }, copy)
  yield* sql`update video set name = 'Grüße 🎈', language = 'de', category = 2, licence = 1,
    channel_id = (select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = 'second_channel')
    where id = ${video.id}`
  yield* sql`insert into tag (name) values ('one') on conflict do nothing`
  yield* sql`insert into video_tag select ${video.id}, id from tag where name = 'one'`
  yield* sql`insert into video_chapter values (${video.id}, 0, 'First'), (${video.id}, 1, 'Then')`
  yield* sql`update video set chapters_by_hand = true where id = ${video.id}`
  yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds, updated_at)
    select id, ${video.id}, 3, '2026-01-01T00:00:00Z' from app_user where username = 'owner'`
  for (const [id, rating] of [
    [video.id, "like"],
    [liked.id, "dislike"]
  ] as const) {
    const rated = yield* send(`/api/v1/videos/${id}/rate`, put(owner, { rating }))
    assert.strictEqual(rated.status, 204, rated.text)
  }
  yield* sql`insert into account_block select a.account, b.account from
    (select c.id as account from account c join app_user u on u.id = c.user_id where u.username = 'owner') a,
    (select c.id as account from account c join app_user u on u.id = c.user_id where u.username = 'moderator') b`
  const words = yield* send(
    "/api/v1/watched-words/accounts/owner/lists",
    json(owner, { listName: "Rude", words: ["idiot", "fool"] })
  )
  assert.strictEqual(words.status, 200, words.text)
  const policy = put(owner, { review: ["Rude", "external-link"] })
  assert.strictEqual((yield* send("/api/v1/automatic-tags/policies/accounts/owner/comments", policy)).status, 204)
  const channels = (yield* send("/api/v1/accounts/owner/video-channels", bearer(owner))).json.data as ReadonlyArray<{
    id: number
    name: string
  }>
  const form = new URLSearchParams({ displayName: "Best of", privacy: "1", videoChannelId: String(channels[0]!.id) })
  const playlist = yield* send("/api/v1/video-playlists", { ...bearer(owner), method: "POST", body: form })
  assert.strictEqual(playlist.status, 200, playlist.text)
  const listId = playlist.json.videoPlaylist.id as number
  for (const body of [{ videoId: video.id, startTimestamp: 1 }, { videoId: liked.id }]) {
    const added = yield* send(`/api/v1/video-playlists/${listId}/videos`, json(owner, body))
    assert.strictEqual(added.status, 200, added.text)
  }
  const comment = yield* send(`/api/v1/videos/${liked.id}/comment-threads`, json(owner, { text: "Nice" }))
  assert.strictEqual(comment.status, 200, comment.text)
  assert.isAbove(other.length, 0)
  const followed = yield* send("/api/v1/users/me/subscriptions", json(owner, { uri: "other_channel" }))
  assert.strictEqual(followed.status, 204)
  const group = { name: "Friends", channels: ["other_channel"] }
  const grouped = yield* send("/api/v1/users/me/subscription-groups", json(owner, group))
  assert.strictEqual(grouped.status, 200, grouped.text)
  return { video, liked }
})

const exported = Effect.gen(function* () {
  const { owner } = yield* People
  const id = yield* myId(owner)
  const asked = yield* send(`/api/v1/users/${id}/exports/request`, json(owner, { withVideoFiles: true }))
  assert.strictEqual(asked.status, 200, asked.text)
  assert.isTrue(yield* (yield* UserExportWorker).once)
  const { data, total } = (yield* send(`/api/v1/users/${id}/exports`, bearer(owner))).json
  assert.strictEqual(total, 1)
  assert.deepStrictEqual(data[0].state, { id: 3, label: "Completed" }, JSON.stringify(data))
  assert.strictEqual(data[0].id, asked.json.export.id)
  return { id, data: data[0] as { readonly size: number; readonly privateDownloadUrl: string; readonly id: number } }
})

layer(archiveNode({ webserver: { hostname: "second.example", port: 443, https: true } }), {
  excludeTestServices: true,
  timeout: patience
})("archives of users", (it) => {
  it.effect(
    "take a user from one instance to another, once",
    () =>
      Effect.gen(function* () {
        yield* prepareReadModels("https://second.example")
        const first = yield* Layer.build(Layer.fresh(archiveNode()))
        const { bytes, video } = yield* Effect.gen(function* () {
          const { video } = yield* furnish
          const { data } = yield* exported
          const bytes = yield* download(data.privateDownloadUrl)
          assert.strictEqual(bytes.length, data.size)
          return { bytes, video }
        }).pipe(Effect.provide(first))

        const entries = yield* readEntries(bytes)
        const told = (name: string) => JSON.parse(entries.get(`peertube/${name}.json`)!.toString("utf8"))
        assert.strictEqual(told("account").displayName, "The Owner")
        assert.strictEqual(told("user-settings").autoPlayVideo, false)
        assert.strictEqual(told("user-settings").email, "owner@example.com")
        assert.strictEqual(told("comments").comments[0].text, "Nice")
        assert.strictEqual(told("videos").videos[0].name, "Grüße 🎈")
        assert.deepStrictEqual(told("videos").videos[0].tags, ["one"])
        const [followed] = told("following").following
        assert.strictEqual(followed.targetHandle, "other_channel@localhost:9000")
        assert.deepStrictEqual(followed.subscriptionGroups, ["Friends"])
        assert.deepInclude(told("watched-words-lists").watchedWordLists[0], {
          listName: "Rude",
          words: ["idiot", "fool"]
        })
        assert.deepStrictEqual(told("auto-tag-policies"), {
          reviewComments: [{ name: "external-link" }, { name: "Rude" }]
        })
        assert.deepStrictEqual(told("blocklist").actors, [{ handle: "moderator@localhost:9000" }])
        const file = `files/videos/video-files/${video.uuid}.mov`
        assert.strictEqual(told("videos").videos[0].archiveFiles.videoFile, `../${file}`)
        assert.isAbove(entries.get(file)!.length, 1000)
        assert.isTrue(entries.has("kinora.json"))

        const { other, owner } = yield* People
        const id = yield* myId(owner)
        const announced = yield* announceArchive(owner, id, bytes.length)
        assert.strictEqual(announced.status, 201, announced.text)
        const address = addressOf(announced)
        const half = Math.floor(bytes.length / 2)
        const part = yield* sendChunk(owner, address, bytes, 0, half)
        assert.deepStrictEqual([part.status, part.headers.get("range")], [308, `bytes=0-${half - 1}`])
        const asked = yield* send(address, bearer(owner))
        assert.deepStrictEqual([asked.status, asked.headers.get("range")], [308, `bytes=0-${half - 1}`])
        // An archive on its way is no video on its way, and nobody else's.
        const asVideo = address.replace(/^.*\?/, "/api/v1/videos/upload-resumable?")
        assert.strictEqual((yield* sendChunk(owner, asVideo, bytes, half)).status, 403)
        assert.strictEqual((yield* sendChunk(other, address, bytes, half)).status, 403)
        const last = yield* sendChunk(owner, address, bytes, half)
        assert.strictEqual(last.status, 200, last.text)
        const importId = last.json.userImport.id as number
        assert.strictEqual((yield* bringArchive(owner, id, bytes)).status, 409)

        const worker = yield* UserImportWorker
        const latest = Effect.map(send(`/api/v1/users/${id}/imports/latest`, bearer(owner)), (answer) => answer.json)
        assert.deepInclude(yield* latest, { id: importId, state: { id: 1, label: "Pending" } })
        assert.isTrue(yield* worker.once)
        const became = yield* latest
        assert.deepStrictEqual(became.state, { id: 3, label: "Completed" }, JSON.stringify(became))
        const one = { success: 1, duplicates: 0, errors: 0 }
        assert.deepStrictEqual(became.resultSummary.stats, {
          account: one,
          userSettings: one,
          channels: { success: 1, duplicates: 1, errors: 0 },
          // Whom this instance does not know it cannot block.
          blocklist: { success: 0, duplicates: 0, errors: 1 },
          videos: one,
          videoPlaylists: { success: 2, duplicates: 0, errors: 0 },
          following: { success: 0, duplicates: 0, errors: 1 },
          likes: one,
          dislikes: { success: 0, duplicates: 0, errors: 1 },
          userVideoHistory: one,
          watchedWordsLists: one,
          commentAutoTagPolicies: { success: 2, duplicates: 0, errors: 0 }
        })
        const wordLists = (yield* send("/api/v1/watched-words/accounts/owner/lists", bearer(owner))).json
        assert.deepInclude(wordLists.data[0], { listName: "Rude", words: ["idiot", "fool"], subscriptionUrl: null })
        const reviewed = yield* send("/api/v1/automatic-tags/policies/accounts/owner/comments", bearer(owner))
        assert.deepStrictEqual(reviewed.json, { review: ["external-link", "Rude"] })

        const me = (yield* send("/api/v1/users/me", bearer(owner))).json
        assert.deepInclude(me, { autoPlayVideo: false, email: "owner@example.com" })
        assert.deepInclude(me.account, { displayName: "The Owner", description: "About me" })
        const mine = (yield* send("/api/v1/users/me/videos", bearer(owner))).json
        assert.strictEqual(mine.total, 1)
        const arrived = mine.data[0]
        assert.notStrictEqual(arrived.uuid, video.uuid)
        assert.deepInclude(arrived, { name: "Grüße 🎈", likes: 1 })
        assert.strictEqual(arrived.channel.name, "second_channel")
        assert.strictEqual(arrived.language.id, "de")
        const chapters = (yield* send(`/api/v1/videos/${arrived.uuid}/chapters`, bearer(owner))).json
        assert.deepStrictEqual(chapters.chapters, [
          { title: "First", timecode: 0 },
          { title: "Then", timecode: 1 }
        ])
        const lists = (yield* send("/api/v1/accounts/owner/video-playlists?sort=createdAt", bearer(owner))).json.data
        const best = lists.find((list: { displayName: string }) => list.displayName === "Best of")
        assert.deepInclude(best, { videosLength: 1 })
        const elements = (yield* send(`/api/v1/video-playlists/${best.id}/videos`, bearer(owner))).json.data
        assert.deepStrictEqual([elements[0].video.uuid, elements[0].startTimestamp], [arrived.uuid, 1])
        const sql = yield* SqlClient
        const [watched] = yield* sql<{ at: string }>`select wire_time(updated_at) as at from user_video_history`
        assert.strictEqual(watched!.at, "2026-01-01T00:00:00.000Z")
        assert.strictEqual(
          (yield* sql`select 1 from object_removal where bucket = 'user_imports' and not_before <= now()`).length,
          1
        )

        assert.strictEqual((yield* bringArchive(owner, id, bytes)).status, 200)
        assert.isTrue(yield* worker.once)
        const again = (yield* latest).resultSummary.stats
        assert.deepStrictEqual(again.videos, { success: 0, duplicates: 1, errors: 0 })
        assert.deepStrictEqual(again.channels, { success: 0, duplicates: 2, errors: 0 })
        assert.deepStrictEqual(again.videoPlaylists, { success: 1, duplicates: 1, errors: 0 })
        assert.deepStrictEqual(again.likes, { success: 0, duplicates: 1, errors: 0 })
        assert.deepStrictEqual(again.userVideoHistory, { success: 0, duplicates: 1, errors: 0 })
        assert.strictEqual((yield* send("/api/v1/users/me/videos", bearer(owner))).json.total, 1)
        const after = (yield* send(`/api/v1/video-playlists/${best.id}/videos`, bearer(owner))).json.total
        assert.strictEqual(after, 1)
      }).pipe(Effect.scoped),
    patience
  )
})
