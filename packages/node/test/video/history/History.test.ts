import { assert, layer } from "@effect/vitest"
import { VideoList } from "@kinora/domain/wire/Video"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"
import { tell } from "../view/Watching.ts"

const decode = Schema.decodeUnknownEffect(VideoList)
const path = "/api/v1/users/me/history/videos"

const listed = Effect.fn("listed")(function* (token: string, query = "") {
  const answer = yield* send(`${path}${query}`, bearer(token))
  assert.strictEqual(answer.status, 200, answer.text)
  const { data, total } = yield* decode(answer.json)
  return { total, watched: data.map(({ id, userHistory }) => [id, userHistory?.currentTime]) }
})

const asUser = (token: string) => ({ authorization: `Bearer ${token}` })
const forget = (token: string, init: RequestInit = {}) =>
  send(`${path}/remove`, { method: "POST", ...init, headers: { ...asUser(token), ...(init.headers as object) } })

layer(peopledNode, { excludeTestServices: true })("History", (it) => {
  it.effect("lists what was watched, the last first, and where watching resumes", () =>
    Effect.gen(function* () {
      const { administrator, other } = yield* People
      const first = yield* addVideo({ owner: "owner" })
      const second = yield* addVideo({ owner: "owner" })
      yield* tell(first.uuid, { currentTime: 1 }, asUser(other))
      yield* tell(second.uuid, { currentTime: 2 }, asUser(other), "PUT watching")
      assert.deepStrictEqual(yield* listed(other), {
        total: 2,
        watched: [
          [second.id, 2],
          [first.id, 1]
        ]
      })
      yield* tell(first.id, { currentTime: 4 }, asUser(other))
      assert.deepStrictEqual(yield* listed(other), {
        total: 2,
        watched: [
          [first.id, 4],
          [second.id, 2]
        ]
      })
      assert.deepStrictEqual(yield* listed(other, "?start=1&count=1"), { total: 2, watched: [[second.id, 2]] })
      assert.deepStrictEqual(yield* listed(other, "?count=0"), { total: 2, watched: [] })
      assert.deepStrictEqual(yield* listed(administrator), { total: 0, watched: [] })
      const details = yield* send(`/api/v1/videos/${first.uuid}`, bearer(other))
      assert.deepStrictEqual(details.json.userHistory, { currentTime: 4 })
      const list = yield* send("/api/v1/videos?count=100", bearer(other))
      const item = list.json.data.find(({ id }: { readonly id: number }) => id === second.id)
      assert.deepStrictEqual(item.userHistory, { currentTime: 2 })
      assert.isUndefined((yield* send(`/api/v1/videos/${first.uuid}`)).json.userHistory)
      yield* forget(other)
    })
  )

  it.effect("is searched by name, with no regard to accents", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { other } = yield* People
      const cafe = yield* addVideo({ owner: "owner" })
      const tea = yield* addVideo({ owner: "owner" })
      yield* sql`update video set name = 'Le Café' where id = ${cafe.id}`
      for (const { uuid } of [cafe, tea]) yield* tell(uuid, { currentTime: 1 }, asUser(other))
      assert.deepStrictEqual(yield* listed(other, "?search=cafe"), { total: 1, watched: [[cafe.id, 1]] })
      assert.deepStrictEqual(yield* listed(other, "?search=%25"), { total: 0, watched: [] })
      assert.strictEqual((yield* listed(other, "?search=")).total, 2)
      yield* forget(other)
    })
  )

  it.effect("shows nothing that one may not see any more, or has blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { other } = yield* People
      const videos = yield* Effect.forEach([1, 1, 1, 1], (privacy) => addVideo({ owner: "owner", privacy }))
      for (const { uuid } of videos) yield* tell(uuid, { currentTime: 1 }, asUser(other))
      const [hidden, blacklisted, unready, internal] = videos.map(({ id }) => id)
      yield* sql`update video set privacy = 3 where id = ${hidden!}`
      yield* sql`insert into video_blacklist (video_id) values (${blacklisted!})`
      yield* sql`update video set state = 2 where id = ${unready!}`
      yield* sql`update video set privacy = 4 where id = ${internal!}`
      assert.deepStrictEqual(yield* listed(other), { total: 1, watched: [[internal, 1]] })
      yield* sql`
        insert into account_block (account_id, target_account_id)
        select a.id, v.account_id from video v, account a join app_user u on u.id = a.user_id
        where v.id = ${internal!} and u.username = 'other'`
      assert.deepStrictEqual(yield* listed(other), { total: 0, watched: [] })
      yield* sql`delete from account_block`
      yield* forget(other)
    })
  )

  it.effect("is not kept for users who want none", () =>
    Effect.gen(function* () {
      const { other } = yield* People
      const { uuid, id } = yield* addVideo({ owner: "owner" })
      const keep = (videosHistoryEnabled: boolean) =>
        send("/api/v1/users/me", {
          method: "PUT",
          body: JSON.stringify({ videosHistoryEnabled }),
          headers: { ...asUser(other), "content-type": "application/json" }
        })
      assert.strictEqual((yield* keep(false)).status, 204)
      assert.strictEqual((yield* tell(uuid, { currentTime: 3 }, asUser(other))).status, 204)
      assert.strictEqual((yield* listed(other)).total, 0)
      assert.strictEqual((yield* keep(true)).status, 204)
      yield* tell(uuid, { currentTime: 3 }, asUser(other))
      assert.deepStrictEqual(yield* listed(other), { total: 1, watched: [[id, 3]] })
      yield* forget(other)
    })
  )

  it.effect("forgets one video, those up to an instant, and all, of nobody else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { moderator, other } = yield* People
      const videos = yield* Effect.forEach([1, 2, 3, 4], () => addVideo({ owner: "owner" }))
      for (const { uuid } of videos) {
        yield* tell(uuid, { currentTime: 1 }, asUser(other))
        yield* tell(uuid, { currentTime: 1 }, asUser(moderator))
      }
      const [one, two, old, last] = videos
      const remove = (video: string | number) => send(`${path}/${video}`, { method: "DELETE", headers: asUser(other) })
      assert.strictEqual((yield* remove(one!.id)).status, 204)
      assert.strictEqual((yield* remove(two!.uuid)).status, 204)
      assert.strictEqual((yield* remove(two!.uuid)).status, 204, "it is not there any more")
      assert.strictEqual((yield* remove(999_999)).status, 404)
      assert.strictEqual((yield* remove("not-a-video!")).status, 400)
      assert.deepStrictEqual((yield* listed(other)).watched, [
        [last!.id, 1],
        [old!.id, 1]
      ])
      yield* sql`update user_video_history set updated_at = '2026-01-01' where video_id = ${old!.id}`
      const form = new FormData()
      form.set("beforeDate", "2026-01-02T00:00:00.000Z")
      assert.strictEqual((yield* forget(other, { body: form })).status, 204)
      assert.deepStrictEqual((yield* listed(other)).watched, [[last!.id, 1]])
      const json = (beforeDate: unknown) =>
        forget(other, { body: JSON.stringify({ beforeDate }), headers: { "content-type": "application/json" } })
      for (const wrong of ["soon", 7, "0000-01-01"]) {
        const answer = yield* json(wrong)
        assert.deepStrictEqual([answer.status, Object.keys(answer.json["invalid-params"])], [400, ["beforeDate"]])
      }
      const badForm = new FormData()
      badForm.set("beforeDate", "soon")
      assert.strictEqual((yield* forget(other, { body: badForm })).status, 400)
      assert.strictEqual((yield* json("2026-01-02")).status, 204)
      assert.strictEqual((yield* listed(other)).total, 1)
      assert.strictEqual(
        (yield* forget(other, { body: new URLSearchParams({ beforeDate: "2026-01-02" }) })).status,
        204
      )
      assert.strictEqual((yield* listed(other)).total, 1)
      assert.strictEqual((yield* forget(other)).status, 204)
      assert.strictEqual((yield* listed(other)).total, 0)
      assert.strictEqual((yield* listed(moderator)).total, 4)
      yield* sql`update user_video_history set updated_at = now() - interval '3 days' where video_id = ${last!.id}`
      yield* (yield* HistoryRows).removeOlder(2 * 86_400)
      // The one of January is older still.
      assert.strictEqual((yield* listed(moderator)).total, 2)
    })
  )

  it.effect("needs a login", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send(path)).status, 401)
      assert.strictEqual((yield* send(`${path}/1`, { method: "DELETE" })).status, 401)
      assert.strictEqual((yield* send(`${path}/remove`, { method: "POST" })).status, 401)
    })
  )
})
