import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { removeVideosOf } from "../../../src/people/account/OwnedVideos.ts"
import { removeLater } from "../../../src/platform/objects/ObjectIntents.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const accounts = 2
const each = 450

layer(TestDatabase, { timeout: 120_000 })("Videos of an owner", (it) => {
  it.effect("go all together, more of them than one statement takes, and leave others alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountIds } = yield* seedVideos({ videos: accounts * each, accounts, files: 2 })
      const [first, second] = accountIds
      assert.strictEqual(yield* sql.withTransaction(removeVideosOf(sql, { accountId: first! })), each)
      const videos = yield* sql`select account_id as owner, count(*) as videos from video group by 1`
      assert.deepStrictEqual(videos, [{ owner: second, videos: each }])
      const queued = yield* sql`
        select bucket, count(*) as objects, count(distinct name) as names from object_removal group by 1 order by 1`
      assert.deepStrictEqual(queued, [
        { bucket: "streaming_playlists", objects: each, names: each },
        { bucket: "streaming_playlists_private", objects: each, names: each },
        { bucket: "thumbnails", objects: each * 2, names: each * 2 },
        { bucket: "torrents", objects: each * 4, names: each * 4 },
        { bucket: "web_videos", objects: each * 2, names: each * 2 }
      ])
      const [channel] = yield* sql<{ id: number }>`select id from video_channel where account_id = ${second!}`
      assert.strictEqual(yield* sql.withTransaction(removeVideosOf(sql, { channelId: channel!.id })), each)
      assert.deepStrictEqual(yield* sql`select count(*) as videos from video`, [{ videos: 0 }])
      assert.strictEqual(yield* sql.withTransaction(removeVideosOf(sql, { channelId: channel!.id })), 0)
    })
  )
})

layer(TestDatabase)("The videos that go", (it) => {
  it.effect("take along what was replaced lately, and not what is still being stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { accountIds } = yield* seedVideos({ videos: 1, accounts: 1, files: 1 })
      const [video] = yield* sql<{ uuid: string }>`select uuid from video where account_id = ${accountIds[0]!}`
      const names = ["replaced", "intended"].map((name) => ({
        bucket: "streaming_playlists",
        name: `${video!.uuid}/${name}`
      }))
      yield* removeLater(sql, names.slice(0, 1), 3600)
      yield* removeLater(sql, names.slice(1), 86_400)
      yield* sql.withTransaction(removeVideosOf(sql, { accountId: accountIds[0]! }))
      const due = yield* sql`
        select split_part(name, '/', 2) as name from object_removal
        where not_before <= now() and name like ${`${video!.uuid}/%`}`
      assert.deepStrictEqual(due, [{ name: "replaced" }])
    })
  )
})
