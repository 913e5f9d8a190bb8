import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { randomUUID } from "node:crypto"
import { send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo, putObject } from "../../video/list/Videos.ts"
import { UserDeletion } from "../../../src/people/user/UserDeletion.ts"
import { call, enrol, isIn, rootToken } from "./UserCalls.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

/** What waits to be done or told, changes that a task takes in, and how often things of those who stay have changed. */
const passing = [
  ...["job", "object_removal", "notification_event", "search_word_change", "block_version", "feed_version"],
  ...["video_total", "video_count", "video_count_change", "outbox_change"],
  // Made ready when somebody reads, of videos that stay.
  "comment_page"
]

/** Number of rows of each table. */
const rowCounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and not (table_name = any(${passing}))
    order by 1`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const rows = yield* sql<{ count: number }>`select count(*)::int as count from ${sql(name)}`
    counts[name] = rows[0]!.count
  }
  return counts
})

const addPicture = Effect.fn(function* (actorId: number) {
  const sql = yield* SqlClient
  const filename = `${randomUUID()}.webp`
  yield* putObject("avatars", filename, "a picture")
  yield* sql`
    insert into actor_image (actor_id, type, filename, width, height) values (${actorId}, 1, ${filename}, 48, 48)`
  return filename
})

const actorsOf = Effect.fn(function* (accountId: number) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    select actor_id as id from account where id = ${accountId}
    union all select actor_id from video_channel where account_id = ${accountId}`
  return rows.map(({ id }) => id)
})

/** Everything a user can leave in tables. */
const leaveTraces = Effect.fn(function* (
  user: { id: number; accountId: number; channelId: number },
  other: typeof user
) {
  const sql = yield* SqlClient
  yield* sql`
    insert into upload_session (id, user_id, payer_id, filename, content_type, size, metadata, expires_at)
    values (${randomUUID()}, ${user.id}, ${user.id}, 'a.mp4', 'video/mp4', 5, '{}', now() + interval '1 hour'),
      (${randomUUID()}, ${other.id}, ${user.id}, 'b.mp4', 'video/mp4', 5, '{}', now() + interval '1 hour')`
  yield* sql`
    insert into one_time_token (hash, purpose, user_id, expires_at)
    values (${new Uint8Array(32)}, 'reset-password', ${user.id}, now() + interval '1 hour')`
  yield* sql`
    insert into user_registration (state, username, email, registration_reason, user_id)
    values (3, 'leaver', 'leaver@example.com', 'To leave again', ${user.id})`
  yield* sql`
    insert into video_channel_collaborator (channel_id, account_id, state)
    values (${user.channelId}, ${other.accountId}, 2), (${other.channelId}, ${user.accountId}, 2)`
  yield* sql`
    insert into ownership_change (initiator_account_id, next_owner_account_id, channel_id)
    values (${user.accountId}, ${other.accountId}, ${user.channelId}),
      (${other.accountId}, ${user.accountId}, ${other.channelId})`
  yield* sql`insert into account_block (account_id, target_account_id) values (${other.accountId}, ${user.accountId})`
  yield* sql`
    insert into user_video_history (user_id, video_id, current_time_seconds) select ${other.id}, id, 5 from video`
  yield* sql`insert into account_video_rate (account_id, video_id, type) select ${other.accountId}, id, 'like' from video`
  const videos = yield* sql<{ id: number }>`select id from video`
  for (const { id } of videos) {
    yield* localComment({ videoId: id, accountId: user.accountId, text: "Good", trusted: true })
  }
  yield* sql`
    insert into video_playlist (url, name, owner_account_id) values (${`urn:${randomUUID()}`}, 'Mine', ${user.accountId})`
  yield* sql`
    insert into video_playlist_element (playlist_id, video_id, position)
    select p.id, v.id, v.id from video_playlist p, video v where p.owner_account_id = ${user.accountId} and p.type = 1`
  yield* sql`insert into user_export (user_id, with_video_files) values (${user.id}, false)`
  yield* sql`
    insert into user_import (uuid, user_id, filename, size) values (${randomUUID()}, ${user.id}, 'archive.zip', 5)`
  yield* sql`
    insert into user_notification (user_id, type, web, event_id, video_id)
    select ${user.id}, 1, true, 1, max(id) from video`
  yield* sql`insert into video_import (user_id, target_url) values (${user.id}, 'https://example.com/')`
  yield* sql`
    insert into job (type, payload, video_id) select 'video-transcoding', '{}', max(id) from video`
})

const node = Removals.layer.pipe(Layer.provideMerge(testNode()))

layer(node, { excludeTestServices: true, timeout: 120_000 })("a deleted user", (it) => {
  it.effect("leaves no row and no file behind, and nothing of others goes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const store = yield* ObjectStore
      const root = yield* rootToken
      const stayer = yield* enrol("stayer")
      const kept = yield* addVideo({ owner: "stayer" })
      const keptPicture = yield* addPicture((yield* actorsOf(stayer.accountId))[0]!)
      const before = yield* rowCounts

      const leaver = yield* enrol("leaver")
      const videos = [
        yield* addVideo({ owner: "leaver" }),
        yield* addVideo({ owner: "leaver", privacy: 3 }),
        yield* addVideo({ owner: "leaver", privacy: 5, passwords: ["secret"], state: 2 })
      ]
      const pictures: Array<string> = []
      for (const actor of yield* actorsOf(leaver.accountId)) pictures.push(yield* addPicture(actor))
      yield* leaveTraces(leaver, stayer)
      yield* sql`delete from user_video_history where video_id = ${kept.id}`
      yield* sql`delete from account_video_rate where video_id = ${kept.id}`

      const files: Array<{ bucket: Bucket; name: string }> = [
        ...pictures.map((name) => ({ bucket: "avatars" as const, name }))
      ]
      const buckets = yield* sql<{ bucket: Bucket; name: string }>`
        select case when v.privacy > 2 then 'web_videos_private' else 'web_videos' end as bucket, f.filename as name
        from video v join video_file f on f.video_id = v.id where v.id = any(${videos.map(({ id }) => id)}::int[])`
      files.push(...buckets)
      assert.isAtLeast(files.length, 5)
      for (const key of files) assert.isTrue((yield* Effect.option(store.stat(key)))._tag === "Some", key.name)

      assert.strictEqual((yield* call("DELETE", `/${leaver.id}`, root)).status, 204)
      assert.isFalse(yield* isIn(leaver.token))
      const after = yield* rowCounts
      assert.deepStrictEqual({ ...after, audit_entry: before["audit_entry"] }, before)
      assert.deepStrictEqual(
        yield* sql`select action, target from audit_entry order by id desc limit ${after["audit_entry"]! - before["audit_entry"]!}`,
        [{ action: "delete", target: { userId: leaver.id, username: "leaver" } }]
      )
      assert.deepStrictEqual(yield* sql`select 1 from block_version where account_id = ${leaver.accountId}`, [])
      assert.deepStrictEqual(yield* sql`select id from job where type = 'video-transcoding'`, [])
      const removals = yield* Removals
      while ((yield* removals.execute(100)) > 0);
      for (const key of files) assert.isTrue((yield* Effect.option(store.stat(key)))._tag === "None", key.name)
      for (const { uuid } of videos) {
        const { status } = yield* send(`/api/v1/videos/${uuid}`)
        assert.strictEqual(status, 404)
      }
      assert.strictEqual((yield* send(`/api/v1/videos/${kept.uuid}`)).status, 200)
      assert.strictEqual((yield* send(`/lazy-static/avatars/${keptPicture}`)).status, 200)
      assert.isTrue(yield* isIn(stayer.token))
      const total = yield* send("/api/v1/videos")
      assert.strictEqual(total.json.total, 1)
    })
  )

  it.effect("goes at once with a thousand videos", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, channelId, id } = yield* enrol("prolific")
      yield* sql`
        insert into video (channel_id, account_id, url, name, privacy, state)
        select ${channelId}, ${accountId}, 'http://localhost:9000/videos/watch/many' || n, 'Video ' || n, 1, 1
        from generate_series(1, 1000) n`
      yield* sql`
        insert into video_file (video_id, resolution, fps, size, extname, filename, has_audio, has_video)
        select v.id, r, 25, 100, '.mp4', v.uuid || '-' || r || '.mp4', true, true
        from video v, unnest(array[360, 720]) r where v.account_id = ${accountId}`
      yield* sql`delete from object_removal`
      yield* (yield* UserDeletion).remove(id)
      assert.deepStrictEqual(yield* sql`select id from video where account_id = ${accountId}`, [])
      const queued = yield* sql<{ files: number; folders: number }>`
        select count(*) filter (where bucket = 'web_videos')::int as files,
          count(*) filter (where bucket = 'streaming_playlists')::int as folders from object_removal`
      assert.deepStrictEqual(queued, [{ files: 2000, folders: 1000 }])
      assert.strictEqual((yield* Effect.flip((yield* UserDeletion).remove(id)))._tag, "UserNotFound")
    })
  )

  it.effect("stays whole when the deletion cannot be finished", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const root = yield* rootToken
      const { id, token } = yield* enrol("clinger")
      yield* addVideo({ owner: "clinger" })
      yield* sql`
        create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`
      yield* sql`create trigger refuse before delete on app_user for each row execute function refuse()`
      const before = yield* rowCounts
      assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 500)
      yield* sql`drop trigger refuse on app_user`
      assert.deepStrictEqual(yield* rowCounts, before)
      assert.isTrue(yield* isIn(token))
      assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 204)
    })
  )

  it.effect("has no video made while it goes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountId, channelId, id } = yield* enrol("busy")
      yield* sql`delete from object_removal`
      const publish = (n: number) => sql`
        insert into video (channel_id, account_id, url, name, privacy, state)
        values (${channelId}, ${accountId}, ${`http://localhost:9000/videos/watch/busy${n}`}, 'Video', 1, 1)`
      let tried = 0
      // Publishes until there is nobody to publish for.
      const publisher = Effect.gen(function* () {
        for (let made = 0; ; made++) {
          if ((yield* Effect.result(publish(tried++)))._tag === "Failure") return made
        }
      })
      const [made] = yield* Effect.all(
        [
          Effect.all([publisher, publisher, publisher], { concurrency: "unbounded" }),
          Effect.flatMap(UserDeletion, (deletion) => deletion.remove(id))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* sql`select id from video where account_id = ${accountId}`, [])
      const queued = yield* sql`select id from object_removal where bucket = 'streaming_playlists'`
      assert.strictEqual(
        queued.length,
        made.reduce((sum, one) => sum + one, 0)
      )
    })
  )
})
