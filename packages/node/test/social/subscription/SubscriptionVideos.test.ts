import { assert, layer } from "@effect/vitest"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { follow } from "../../people/account/Follows.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { newUser } from "../../people/me/Changes.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

const path = "/api/v1/users/me/subscriptions/videos"
const decode = Schema.decodeUnknownEffect(VideoList)

const listed = Effect.fn("listed")(function* (token: string, query = "") {
  const answer = yield* send(`${path}${query}`, bearer(token))
  assert.strictEqual(answer.status, 200, answer.text)
  const list = yield* decode(answer.json)
  return { total: list.total, ids: list.data.map(({ id }) => id) }
})

layer(peopledNode, { excludeTestServices: true })("Videos of subscriptions", (it) => {
  it.effect("are those of channels the user follows and was accepted by, newest first", () =>
    Effect.gen(function* () {
      const reader = yield* newUser("reader")
      for (const maker of ["followed", "pending", "refused", "unknown"]) yield* newUser(maker)
      assert.deepStrictEqual(yield* listed(reader), { total: 0, ids: [] })
      const older = yield* addVideo({ owner: "followed" })
      const newer = yield* addVideo({ owner: "followed", privacy: 4 })
      yield* addVideo({ owner: "followed", privacy: 3 })
      yield* addVideo({ owner: "followed", blacklisted: true })
      for (const maker of ["pending", "refused", "unknown"]) yield* addVideo({ owner: maker })
      yield* follow("reader", "followed_channel", 5)
      yield* follow("reader", "pending_channel", 5, "pending")
      yield* follow("reader", "refused_channel", 5, "rejected")
      // Somebody else's, and one of an account: neither is a subscription of the reader to a channel.
      yield* follow("unknown", "unknown_channel", 5)
      yield* follow("reader", "unknown", 5)
      assert.deepStrictEqual(yield* listed(reader), { total: 2, ids: [newer.id, older.id] })
      assert.deepStrictEqual(yield* listed(reader, "?sort=createdAt&count=1"), { total: 2, ids: [older.id] })
      assert.deepStrictEqual(yield* listed(reader, "?start=1"), { total: 2, ids: [older.id] })
      assert.deepStrictEqual(yield* listed(reader, "?count=0"), { total: 2, ids: [] })
      const uncounted = yield* send(`${path}?skipCount=true`, bearer(reader))
      assert.hasAllKeys(uncounted.json, ["data"])
    })
  )

  it.effect("are filtered, searched and sorted as every list is, for moderators with what is hidden", () =>
    Effect.gen(function* () {
      const { moderator, other } = yield* People
      const sql = yield* SqlClient
      const shown = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      yield* addVideo({ owner: "moderator" })
      yield* follow("moderator", "owner_channel", 1)
      yield* follow("other", "owner_channel", 1)
      yield* sql`update video set category = 3, views = 9, name = 'Kangaroos at dusk' where id = ${shown.id}`
      const more = "?privacyOneOf=1&privacyOneOf=3&include=1&sort=createdAt"
      assert.deepStrictEqual(yield* listed(moderator, more), { total: 2, ids: [shown.id, hidden.id] })
      assert.strictEqual((yield* send(`${path}${more}`, bearer(other))).status, 403)
      for (const [query, found] of [
        ["?categoryOneOf=3", [shown.id]],
        ["?categoryOneOf=4", []],
        ["?isLocal=false", []],
        ["?isLocal=true&sort=-views", [shown.id]],
        ["?isLive=true", []],
        ["?nsfw=true", []],
        ["?tagsOneOf=nothing", []],
        ["?host=localhost:9000", [shown.id]],
        ["?host=peer.example", []],
        ["?hasHLSFiles=true&sort=-trending", [shown.id]],
        ["?search=kangaroo&sort=-match", [shown.id]],
        ["?search=kangaroo&sort=-views", [shown.id]],
        ["?search=wombat", []],
        ["?sort=-best", [shown.id]],
        ["?sort=name", [shown.id]]
      ] as const) {
        assert.deepStrictEqual(yield* listed(other, query), { total: found.length, ids: [...found] }, query)
      }
      yield* sql`insert into account_block (account_id, target_account_id)
        select a.id, b.id from account a join app_user u on u.id = a.user_id, account b join app_user w on w.id = b.user_id
        where u.username = 'other' and w.username = 'owner'`
      assert.deepStrictEqual(yield* listed(other), { total: 0, ids: [] })
      for (const query of ["?sort=nothing", "?count=101", "?start=-1", "?nsfw=perhaps"]) {
        assert.strictEqual((yield* send(`${path}${query}`, bearer(other))).status, 400, query)
      }
      assert.strictEqual((yield* send(path)).status, 401)
    })
  )
})

layer(peopledNode, { excludeTestServices: true })("The best videos", (it) => {
  it.effect("are the hot ones, without those the user has watched", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const sql = yield* SqlClient
      const videos = [yield* addVideo({ owner: "owner" }), yield* addVideo({ owner: "owner" })]
      const [seen, unseen] = videos.map(({ id }) => id) as [number, number]
      yield* sql`update video set views = 100000, published_at = now() where id = ${seen}`
      yield* sql`update video set views = 10, published_at = now() where id = ${unseen}`
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select id, ${seen}, 3 from app_user where username = 'other'`
      const all = { total: 2, ids: [seen, unseen] }
      const left = { total: 1, ids: [unseen] }
      const channel = "/api/v1/video-channels/owner_channel/videos"
      const mine = "/api/v1/users/me/videos"
      for (const [token, asked, expected] of [
        [undefined, "/api/v1/videos?sort=-best", all],
        [undefined, "/api/v1/videos?sort=-hot", all],
        [owner, "/api/v1/videos?sort=-best", all],
        [other, "/api/v1/videos?sort=-best", left],
        [other, "/api/v1/videos?sort=best", left],
        [other, "/api/v1/videos?sort=-hot", all],
        [other, "/api/v1/videos?sort=-best&excludeAlreadyWatched=false", all],
        [other, `${channel}?sort=-best`, left],
        [owner, `${mine}?sort=-best`, all]
      ] as const) {
        const { json } = yield* send(asked, token === undefined ? {} : bearer(token))
        const ids = json.data.map(({ id }: { readonly id: number }) => id)
        assert.deepStrictEqual({ total: json.total, ids }, expected, asked)
      }
      // What is one's own is listed whole, watched or not.
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select id, ${seen}, 3 from app_user where username = 'owner'`
      assert.strictEqual((yield* send(`${mine}?sort=-best`, bearer(owner))).json.total, 2)
    })
  )
})
