import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { JobUpkeep } from "@kinora/storage/platform/jobs/JobUpkeep"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { userImportType } from "@kinora/storage/archive/import/UserImportRows"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { UserImportWorker } from "../../../src/archive/import/UserImportWorker.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { addressOf, announceArchive, archiveNode, bringArchive, myId, sendChunk } from "../export/ArchiveNode.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { rawZip, zipOf } from "./ZipMaker.ts"

const node = Removals.layer.pipe(Layer.provideMerge(archiveNode({ smtp: { hostname: "127.0.0.1" } })))

const latest = Effect.fnUntraced(function* (token: string, userId: number) {
  return (yield* send(`/api/v1/users/${userId}/imports/latest`, bearer(token))).json
})

/** Brings the archive and sees its import through. */
const imported = Effect.fnUntraced(function* (token: string, bytes: Buffer) {
  const id = yield* myId(token)
  const brought = yield* bringArchive(token, id, bytes)
  assert.strictEqual(brought.status, 200, brought.text)
  assert.isTrue(yield* (yield* UserImportWorker).once)
  return yield* latest(token, id)
})

/** Names of archives that are kept, once what is due was removed. */
const keptArchives = Effect.gen(function* () {
  const sql = yield* SqlClient
  while ((yield* (yield* Removals).execute(10)) > 0);
  const store = yield* ObjectStore
  const rows = yield* sql<{ uuid: string }>`select uuid from user_import`
  const found = yield* Effect.forEach(rows, ({ uuid }) =>
    Effect.option(store.stat({ bucket: "user_imports", name: `${uuid}.zip` }))
  )
  return found.filter(({ _tag }) => _tag === "Some").length
})

/** Kinds of mails that wait. */
const mails = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ kind: string }>`select payload ->> 'kind' as kind from job where type = 'email' order by id`
  yield* sql`delete from job where type = 'email'`
  return rows.map(({ kind }) => kind)
})

const good = zipOf({ "peertube/account.json": { displayName: "Renamed", description: "By an archive" } })
const evil = rawZip([
  { name: "peertube/account.json", data: `{"displayName":"Evil"}` },
  { name: "../../etc/x", data: "x" }
])

const count = (success: number, duplicates: number, errors: number) => ({ success, duplicates, errors })

layer(node, { excludeTestServices: true, timeout: 120_000 })("imports of users", (it) => {
  it.effect("are begun by the user and by administrators, within the quota", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { administrator, moderator, other, owner } = yield* People
      const id = yield* myId(other)
      assert.strictEqual((yield* send(`/api/v1/users/${id}/imports/latest`, bearer(other))).status, 404)
      for (const token of [owner, moderator]) {
        assert.strictEqual((yield* announceArchive(token, id, 100)).status, 403)
        assert.strictEqual((yield* send(`/api/v1/users/${id}/imports/latest`, bearer(token))).status, 403)
      }
      assert.strictEqual((yield* announceArchive(other, 99_999, 100)).status, 404)
      assert.strictEqual((yield* announceArchive(other, 0, 100)).status, 400)
      assert.strictEqual((yield* announceArchive(other, id, 0)).status, 400)
      const anybody = yield* send(`/api/v1/users/${id}/imports/import-resumable`, { method: "POST" })
      assert.strictEqual(anybody.status, 401)
      yield* sql`update app_user set video_quota = 1000 where id = ${id}`
      const refused = yield* announceArchive(other, id, 1001)
      assert.strictEqual(refused.status, 413)
      assert.match(refused.json.type, /quota_reached$/)
      yield* sql`update app_user set video_quota = -1 where id = ${id}`

      const announced = yield* announceArchive(administrator, id, good.length)
      assert.strictEqual(announced.status, 201, announced.text)
      const address = addressOf(announced)
      const path = `/api/v1/users/${id}/imports/import-resumable`
      assert.strictEqual((yield* send(path, bearer(administrator))).status, 308)
      assert.strictEqual((yield* send(`${path}?upload_id=x`, bearer(administrator))).status, 404)
      // Who acts for several users cannot send the archive of one into the account of another.
      const elsewhere = address.replace(`/users/${id}/`, `/users/${yield* myId(owner)}/`)
      assert.strictEqual((yield* sendChunk(administrator, elsewhere, good)).status, 404)
      assert.strictEqual((yield* sendChunk(administrator, address, good, 5)).status, 409)
      const cancelled = yield* send(address, { ...bearer(administrator), method: "DELETE" })
      assert.strictEqual(cancelled.status, 204)
      assert.strictEqual((yield* sendChunk(administrator, address, good)).status, 404)
      assert.strictEqual((yield* bringArchive(administrator, id, good)).status, 200)
      assert.strictEqual((yield* announceArchive(other, id, 100)).status, 409)
      assert.isTrue(yield* (yield* UserImportWorker).once)
      assert.strictEqual((yield* latest(other, id)).state.id, 3)
      const me = (yield* send("/api/v1/users/me", bearer(other))).json
      assert.strictEqual(me.account.displayName, "Renamed")
      assert.strictEqual(yield* keptArchives, 0)
    })
  )

  it.effect("ZIP-04: of a hostile archive nothing is taken, the user is told, and the next one is imported", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      yield* mails
      const became = yield* imported(owner, evil)
      assert.deepStrictEqual(became.state, { id: 4, label: "Failed" })
      assert.match(became.error, /leads out of it/)
      const name = Effect.map(send("/api/v1/users/me", bearer(owner)), (me) => me.json.account.displayName)
      assert.notStrictEqual(yield* name, "Evil")
      assert.match((yield* imported(owner, Buffer.from("no archive"))).error, /not a zip archive/)
      assert.deepStrictEqual(yield* mails, ["UserImportFailed", "UserImportFailed"])
      assert.strictEqual((yield* imported(owner, good)).state.id, 3)
      assert.deepStrictEqual(yield* mails, ["UserImportFinished"])
      assert.strictEqual(yield* name, "Renamed")
      assert.strictEqual(yield* keptArchives, 0)
    })
  )

  it.effect("ZIP-05: an import that ends its worker each time is put aside", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const board = yield* JobBoard
      const worker = yield* UserImportWorker
      const { other, owner } = yield* People
      const id = yield* myId(owner)
      assert.strictEqual((yield* bringArchive(owner, id, good)).status, 200)
      for (let n = 1; n <= 3; n++) {
        yield* sql`update job set run_at = now() where type = ${userImportType}`
        const job = yield* board.claim([userImportType], "a node that dies", Duration.minutes(1))
        assert.strictEqual(job._tag === "Some" ? job.value.attempt : 0, n)
        yield* (yield* JobUpkeep).expireLeases("a node that dies")
      }
      assert.isFalse(yield* worker.once)
      assert.strictEqual(yield* worker.settleAbandoned, 1)
      const became = yield* latest(owner, id)
      assert.strictEqual(became.state.label, "Failed")
      assert.match(became.error, /never to its end/)
      assert.strictEqual((yield* imported(other, good)).state.id, 3)
      assert.strictEqual(yield* keptArchives, 0)
    })
  )

  it.effect("ZIP-06: JSON is believed nothing that its user could not do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { other, owner } = yield* People
      const secret = yield* addVideo({ owner: "owner", privacy: 3 })
      const open = yield* addVideo({ owner: "owner" })
      const urlOf = (uuid: string) => `http://localhost:9000/videos/watch/${uuid}`
      const picture = "http://127.0.0.1:1/picture.png"
      const aVideo = (uuid: string, more: object) => ({
        uuid,
        url: urlOf(uuid),
        name: "Taken",
        channel: { name: "other_channel" },
        archiveFiles: {
          videoFile: "../files/videos/a.mp4",
          thumbnail: picture,
          captions: { en: "../../../etc/passwd" }
        },
        ...more
      })
      const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
      const archive = zipOf({
        "files/videos/a.mp4": "no video at all",
        "peertube/account.json": { displayName: "Still me", id: 1, userId: 1, archiveFiles: { avatar: picture } },
        "peertube/user-settings.json": {
          email: "thief@example.com",
          role: 0,
          adminFlags: 1,
          videoQuota: -1,
          autoPlayVideo: false,
          theme: 7,
          notificationSettings: { newFollow: 3, commentMention: "loud" }
        },
        "peertube/channels.json": {
          channels: [
            { name: "owner_channel", displayName: "Mine now" },
            { name: "../x", displayName: "x" },
            { name: 7 },
            "x",
            null,
            { name: "fine", displayName: "Fine", __proto__: { admin: true }, archiveFiles: { avatar: "/etc/passwd" } }
          ]
        },
        "peertube/videos.json": {
          videos: [
            aVideo(uuid(1), { channel: { name: "owner_channel" } }),
            aVideo(uuid(2), { archiveFiles: { videoFile: "../../../etc/passwd" } }),
            aVideo(uuid(3), { archiveFiles: { videoFile: "http://127.0.0.1:1/a.mp4" } }),
            aVideo(uuid(4), {}),
            aVideo("not-a-uuid", {}),
            aVideo(uuid(5), { isLive: true }),
            aVideo(open.uuid, { name: 7 })
          ]
        },
        "peertube/likes.json": {
          likes: [
            { videoUrl: urlOf(secret.uuid) },
            { videoUrl: urlOf(open.uuid) },
            { videoUrl: urlOf(open.uuid) },
            { videoUrl: 1 }
          ]
        },
        "peertube/dislikes.json": `{"dislikes": [{"videoUrl": broken]}`,
        "peertube/video-history.json": {
          watchedVideos: [
            { videoUrl: urlOf(open.uuid), lastTimecode: 1e300, createdAt: "now", updatedAt: "now" },
            {
              videoUrl: urlOf(secret.uuid),
              lastTimecode: 1,
              createdAt: "2026-01-01T00:00:00.000Z",
              updatedAt: "2026-01-01T00:00:00.000Z"
            }
          ]
        },
        "peertube/following.json": {
          following: [
            { targetHandle: "owner_channel", subscriptionGroups: ["Friends", "friends", " Films "] },
            { targetHandle: "channel@127.0.0.1:1", subscriptionGroups: ["Nobody"] },
            { targetHandle: {} }
          ]
        },
        "peertube/blocklist.json": {
          instances: [{ host: "bad.example" }, { host: "http://x/y" }, { host: 7 }],
          actors: [{ handle: "moderator@localhost:9000" }, { handle: "nobody@127.0.0.1:1" }]
        },
        "peertube/watched-words-lists.json": {
          watchedWordLists: [
            { listName: "Mine", words: ["one", "one", "two"], id: 7, subscriptionUrl: "https://elsewhere.example" },
            { listName: "mine", words: ["other"] },
            { listName: "external-link", words: ["x"] },
            { listName: "Empty", words: [] },
            { listName: "Long", words: ["x".repeat(101)] },
            { listName: { a: 1 }, words: "x" },
            null
          ]
        },
        "peertube/auto-tag-policies.json": {
          reviewComments: [{ name: "MINE" }, { name: "Mine" }, { name: "Of others" }, { name: 7 }, "external-link"]
        },
        "peertube/video-playlists.json": {
          videoPlaylists: [
            {
              url: "https://elsewhere.example/p/1",
              type: 1,
              displayName: "Mixed",
              privacy: 3,
              ownerAccountId: 1,
              elements: [
                { videoUrl: urlOf(secret.uuid) },
                { videoUrl: urlOf(open.uuid) },
                { videoUrl: "https://elsewhere.example/w/1" }
              ]
            },
            {
              url: "https://elsewhere.example/p/2",
              type: 1,
              displayName: "Endless",
              privacy: 3,
              elements: Array.from({ length: 6000 }, () => ({ videoUrl: urlOf(open.uuid) }))
            },
            {
              url: "https://elsewhere.example/p/3",
              type: 1,
              displayName: "Public in the channel of another",
              privacy: 1,
              channel: { name: "owner_channel" },
              elements: []
            }
          ]
        }
      })
      const became = yield* imported(other, archive)
      assert.strictEqual(became.state.id, 3, JSON.stringify(became))
      assert.deepInclude(became.resultSummary.stats, {
        account: count(1, 0, 0),
        userSettings: count(1, 0, 0),
        channels: count(1, 0, 5),
        blocklist: count(2, 0, 3),
        videos: count(0, 0, 7),
        videoPlaylists: count(1, 0, 2),
        following: count(1, 0, 2),
        likes: count(1, 1, 2),
        dislikes: count(0, 0, 1),
        userVideoHistory: count(0, 0, 2),
        watchedWordsLists: count(1, 1, 5),
        commentAutoTagPolicies: count(1, 1, 3)
      })
      const groups = (yield* send("/api/v1/users/me/subscription-groups", bearer(other))).json
      assert.deepStrictEqual(
        groups.data.map((it: { readonly name: string; readonly channels: ReadonlyArray<string> }) => [
          it.name,
          it.channels
        ]),
        [
          ["Films", ["owner_channel@localhost:9000"]],
          ["Friends", ["owner_channel@localhost:9000"]]
        ]
      )
      const lists = (yield* send("/api/v1/watched-words/accounts/other/lists", bearer(other))).json
      assert.strictEqual(lists.total, 1)
      assert.deepInclude(lists.data[0], { listName: "Mine", words: ["one", "two"], subscriptionUrl: null })
      const me = (yield* send("/api/v1/users/me", bearer(other))).json
      assert.deepInclude(me, {
        email: "other@example.com",
        autoPlayVideo: false,
        adminFlags: 0,
        theme: "instance-default"
      })
      assert.deepInclude(me.role, { id: 2 })
      assert.deepStrictEqual([me.notificationSettings.newFollow, me.notificationSettings.commentMention], [3, 1])
      assert.strictEqual(me.account.displayName, "Still me")
      const [{ rates }] = (yield* sql<{ rates: number }>`
        select count(*)::int as rates from account_video_rate where video_id = ${secret.id}`) as unknown as [
        { rates: number }
      ]
      assert.strictEqual(rates, 0)
      const [mixed] = yield* sql<{ uuid: string }>`select uuid from video_playlist where name = 'Mixed'`
      const elements = (yield* send(`/api/v1/video-playlists/${mixed!.uuid}/videos`, bearer(other))).json
      assert.deepStrictEqual(
        elements.data.map(({ video }: { video: { uuid: string } }) => video.uuid),
        [open.uuid]
      )
      assert.strictEqual((yield* send("/api/v1/users/me/videos", bearer(other))).json.total, 0)
      const owners = (yield* send("/api/v1/video-channels/owner_channel", bearer(owner))).json
      assert.notStrictEqual(owners.displayName, "Mine now")
      // What did not become a video is gone.
      assert.deepStrictEqual(yield* sql`select id from upload_session where kind = 'video'`, [])
      assert.strictEqual((yield* (yield* UploadDisk).ids).size, 0)
      const names = yield* sql<{ host: string }>`select host::text as host from server order by host`
      assert.deepStrictEqual(
        names.map(({ host }) => host),
        ["bad.example"]
      )

      // The node is killed before the end is written down: begun again, nothing is made a second time.
      yield* sql`update user_import set state = 2 where id = ${became.id}`
      yield* sql`delete from object_removal where bucket = 'user_imports'`
      yield* (yield* JobBoard).enqueue({ type: userImportType, payload: { importId: became.id } })
      assert.isTrue(yield* (yield* UserImportWorker).once)
      const again = (yield* latest(other, yield* myId(other))).resultSummary.stats
      assert.deepInclude(again, {
        channels: count(1, 0, 5),
        videoPlaylists: count(1, 0, 2),
        blocklist: count(0, 2, 3),
        following: count(0, 1, 2),
        likes: count(0, 2, 2)
      })
      const playlists = yield* sql`select id from video_playlist where name = 'Mixed'`
      assert.strictEqual(playlists.length, 1)
      const after = (yield* send(`/api/v1/video-playlists/${mixed!.uuid}/videos`, bearer(other))).json
      assert.strictEqual(after.total, 1)
    })
  )
})
