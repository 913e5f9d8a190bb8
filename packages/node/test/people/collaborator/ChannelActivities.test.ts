import { assert, layer } from "@effect/vitest"
import { ChannelActivityList } from "@kinora/domain/wire/ChannelActivity"
import { ChannelActivities } from "@kinora/storage/people/collaborator/ChannelActivities"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { administrator, ask, collaborate, expectStatus, sharer } from "./Sharing.ts"

const decode = Schema.decodeUnknownSync(ChannelActivityList)

layer(testNode(), { excludeTestServices: true, timeout: 60_000 })("Activities of a channel", (it) => {
  it.effect("are listed by time, page by page, as things were called then", () =>
    Effect.gen(function* () {
      const [owner, helper] = [yield* sharer("ann"), yield* sharer("ben")]
      const path = `/video-channels/${owner.channel}/activities`
      assert.deepStrictEqual((yield* ask(owner, "GET", path)).json, { total: 0, data: [] })
      yield* collaborate(owner, helper)
      const video = yield* addVideo({ owner: "ann" })
      expectStatus(yield* ask(owner, "POST", `/videos/${video.uuid}/give-ownership`, { username: "ben" }), 204)
      expectStatus(yield* ask(helper, "DELETE", `/videos/${video.uuid}`), 204)
      yield* (yield* ChannelActivities).record({
        channelId: owner.channelId,
        accountId: owner.accountId,
        action: 2,
        targetType: 4,
        target: { channelSync: { id: 7, externalChannelUrl: "https://far.example/channel" } },
        details: { reason: "moved" }
      })
      // Of a channel that goes while something is done in it.
      const gone = { channelId: 999_999, accountId: owner.accountId, action: 2, targetType: 5, target: {} } as const
      yield* (yield* ChannelActivities).record(gone)
      const list = Effect.fnUntraced(function* (query: string) {
        return decode(expectStatus(yield* ask(owner, "GET", `${path}${query}`), 200).json)
      })
      const { data, total } = yield* list("")
      assert.strictEqual(total, 3)
      const [sync, deleted, sent] = data
      assert.deepInclude(sync, {
        action: { id: 2, label: "Update" },
        targetType: { id: 4, label: "Channel synchronization" },
        details: { reason: "moved" },
        channelSync: { id: 7, externalChannelUrl: "https://far.example/channel" },
        video: null,
        videoImport: null,
        playlist: null
      })
      assert.deepStrictEqual(sync!.channel, {
        id: owner.channelId,
        name: "ann_channel",
        displayName: sync!.channel.displayName,
        url: "http://localhost:9000/video-channels/ann_channel"
      })
      assert.deepInclude(deleted, { action: { id: 3, label: "Delete" }, channelSync: null, details: {} })
      assert.deepInclude(deleted!.video, { uuid: video.uuid, name: "Video of ann", isLive: false })
      assert.strictEqual(deleted!.account!.name, "ben")
      assert.isFalse("targetAccount" in deleted!)
      assert.deepInclude(sent, { action: { id: 12, label: "Send ownership request" } })
      assert.strictEqual(sent!.targetAccount!.username, "ben")

      const ids = data.map(({ id }) => id)
      const page = (query: string) =>
        Effect.map(list(query), (found) => [found.total, ...found.data.map(({ id }) => id)])
      assert.deepStrictEqual(yield* page("?sort=createdAt"), [3, ...ids.toReversed()])
      assert.deepStrictEqual(yield* page("?start=1&count=1"), [3, ids[1]!])
      assert.deepStrictEqual(yield* page("?start=3"), [3])
      assert.deepStrictEqual(yield* page("?count=0"), [3])
      const bad = expectStatus(yield* ask(owner, "GET", `${path}?start=-1&count=101&sort=name`), 400)
      assert.deepStrictEqual(Object.keys(bad.json["invalid-params"]).toSorted(), ["count", "sort", "start"])
      expectStatus(yield* ask(owner, "GET", "/video-channels/nobody/activities"), 404)

      // Who did it may be gone: what was done stays told.
      expectStatus(yield* ask(yield* administrator, "DELETE", `/users/${helper.userId}`), 204)
      const later = yield* list("")
      assert.deepStrictEqual(
        later.data.map((one) => one.account?.name),
        ["ann", undefined, "ann"]
      )
    })
  )

  it.effect("are undone with what they tell of", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* sharer("cid")
      const activities = yield* ChannelActivities
      const failed = yield* sql
        .withTransaction(
          Effect.andThen(
            activities.record({
              channelId: owner.channelId,
              accountId: owner.accountId,
              action: 2,
              targetType: 3,
              target: {}
            }),
            Effect.fail("undone" as const)
          )
        )
        .pipe(Effect.flip)
      assert.strictEqual(failed, "undone")
      assert.strictEqual((yield* ask(owner, "GET", `/video-channels/${owner.channel}/activities`)).json.total, 0)
    })
  )
})
