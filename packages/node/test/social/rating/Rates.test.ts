import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Rates, type Rating } from "../../../src/social/rating/Rates.ts"
import { UserDeletion } from "../../../src/people/user/UserDeletion.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { approve, ask, counted, drop, rate, say, threads } from "../comment/Talk.ts"
import { login } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

/** A user may write eight comments in a while. */
const node = People.layer.pipe(
  Layer.provideMerge(testNode({ rates_limit: { create_comment: { max: 8, window: "1 hour" } } }))
)

/** Accounts as many as one likes, of nobody. */
const accounts = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    with actors as (
      insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
      select 'Person', 'crowd_' || n, 'http://localhost:9000/accounts/crowd_' || n, '', '', ''
      from generate_series(1, ${count}::integer) n returning id
    )
    insert into account (actor_id, display_name) select id, 'one of many' from actors returning id`
  return rows.map((row) => row.id)
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("ratings", (it) => {
  it.effect("a rating is set, changed, told and taken back", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const mine = (token: string) =>
        Effect.map(ask("GET", `/users/me/videos/${uuid}/rating`, token), ({ json }) => json.rating as string)
      assert.strictEqual(yield* mine(other), "none")
      for (const rating of ["like", "like", "dislike", "none", "none", "dislike"] as const) {
        assert.strictEqual((yield* rate(rating === "like" ? id : uuid, other, rating)).status, 204)
        assert.strictEqual(yield* mine(other), rating)
        assert.deepStrictEqual(yield* counted(uuid), {
          comments: 0,
          likes: Number(rating === "like"),
          dislikes: Number(rating === "dislike")
        })
      }
      assert.strictEqual((yield* rate(uuid, owner, "like")).status, 204)
      assert.deepStrictEqual(yield* counted(uuid), { comments: 0, likes: 1, dislikes: 1 })
      const rated = yield* ask("GET", "/accounts/other/ratings?rating=dislike", other)
      assert.strictEqual(rated.json[0].video.dislikes, 1)
      assert.strictEqual((yield* rate(uuid, other, "love")).status, 400)
      assert.strictEqual((yield* ask("PUT", `/videos/${uuid}/rate`, other, {})).status, 400)
      assert.strictEqual((yield* ask("PUT", `/videos/${uuid}/rate`, undefined, { rating: "like" })).status, 401)
      assert.strictEqual((yield* rate("999999", other, "like")).status, 404)
    })
  )

  it.effect("what one may not see one can neither rate nor talk about", () =>
    Effect.gen(function* () {
      const { moderator, other } = yield* People
      const hidden = [
        [yield* addVideo({ owner: "owner", privacy: 3 }), 403],
        [yield* addVideo({ owner: "owner", blacklisted: true }), 403],
        [yield* addVideo({ owner: "owner", state: 2 }), 404]
      ] as const
      for (const [{ uuid }, status] of hidden) {
        assert.strictEqual((yield* rate(uuid, other, "like")).status, status)
        assert.strictEqual((yield* threads(uuid, other)).status, status)
        assert.notStrictEqual((yield* threads(uuid)).status, 200)
        assert.strictEqual((yield* ask("POST", `/videos/${uuid}/comment-threads`, other, { text: "x" })).status, status)
        assert.strictEqual((yield* rate(uuid, moderator, "like")).status, 204)
      }
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["open sesame"] })
      assert.strictEqual((yield* rate(locked.uuid, other, "like")).status, 401)
      assert.strictEqual((yield* threads(locked.uuid)).status, 401)
      assert.strictEqual((yield* threads(locked.uuid, other)).status, 401)
    })
  )

  it.effect("counts stay exact when many rate and talk at once, accounts racing themselves included", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rates = yield* Rates
      const { uuid, id } = yield* addVideo({ owner: "owner" })
      const ids = yield* accounts(25)
      const wanted: ReadonlyArray<Rating> = ["like", "dislike", "none", "like", "dislike"]
      // Fifty at once, each account from two sides, three times over.
      yield* Effect.forEach(
        Array.from({ length: 150 }, (_, n) => n),
        (n) => rates.set(ids[n % 25]!, id, wanted[(n * 7) % 5]!),
        { concurrency: 50, discard: true }
      )
      const { moderator } = yield* People
      const said = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => say(moderator, uuid, `${n}`),
        { concurrency: 10 }
      )
      const gone = yield* Effect.forEach(
        [...said.slice(0, 10), ...said.slice(0, 10)],
        (comment) => drop(uuid, comment.id, moderator),
        { concurrency: 10 }
      )
      assert.strictEqual(gone.filter(({ status }) => status === 204).length, 10)
      const [truth] = yield* sql<{ likes: number; dislikes: number; comments: number }>`
        select (count(*) filter (where type = 'like'))::integer as likes,
          (count(*) filter (where type = 'dislike'))::integer as dislikes, 10 as comments
        from account_video_rate where video_id = ${id}`
      assert.isAbove(truth!.likes + truth!.dislikes, 0)
      assert.deepStrictEqual({ ...(yield* counted(uuid)) }, { ...truth! })
    })
  )

  it.effect("who leaves takes ratings and words along, and leaves the tree", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const { uuid, id } = yield* addVideo({ owner: "owner" })
      const sql = yield* SqlClient
      const created = yield* (yield* Users).create({
        username: "leaver",
        email: "leaver@example.com",
        password: "password1",
        role: 2
      })
      const leaver = (yield* login("leaver", "password1")).access_token
      const own = yield* addVideo({ owner: "leaver" })
      const a = yield* say(leaver, uuid, "a")
      yield* say(owner, uuid, "b", a.id)
      yield* say(leaver, uuid, "c")
      yield* say(leaver, own.uuid, "below my own")
      yield* say(owner, own.uuid, "below another's")
      yield* sql`update video set comments_policy = 3 where id = ${id}`
      yield* say(leaver, uuid, "held")
      yield* rate(uuid, leaver, "dislike")
      assert.deepStrictEqual(yield* counted(uuid), { comments: 3, likes: 0, dislikes: 1 })
      yield* (yield* UserDeletion).remove(created.userId)
      assert.deepStrictEqual(yield* counted(uuid), { comments: 1, likes: 0, dislikes: 0 })
      const { data, total } = (yield* threads(uuid, owner)).json
      assert.deepStrictEqual([total, data[0].isDeleted, data[0].account, data[0].totalReplies], [1, true, null, 1])
      const left = yield* sql`select 1 from video_comment where video_id in (${id}, ${own.id})`
      assert.strictEqual(left.length, 2)
    })
  )

  it.effect("a user writes so many comments in a while, moderators as many as they like", () =>
    Effect.gen(function* () {
      const { moderator, other } = yield* People
      const { uuid, id } = yield* addVideo({ owner: "owner" })
      const sql = yield* SqlClient
      yield* sql`update video set comments_policy = 2 where id = ${id}`
      const path = `/videos/${uuid}/comment-threads`
      for (let n = 0; n < 9; n++) {
        assert.strictEqual((yield* ask("POST", path, other, { text: "refused" })).status, 409)
      }
      yield* sql`update video set comments_policy = 3 where id = ${id}`
      for (let n = 0; n < 8; n++) yield* say(other, uuid, "x")
      const late = yield* ask("POST", path, other, { text: "x" })
      assert.strictEqual(late.status, 429)
      assert.isAbove(Number(late.headers.get("retry-after")), 3000)
      for (let n = 0; n < 9; n++) yield* say(moderator, uuid, "x")
      const held = (yield* threads(uuid, moderator, "?count=100")).json.data.filter(
        (it: { heldForReview: boolean }) => it.heldForReview
      )
      assert.strictEqual(held.length, 8)
      assert.strictEqual((yield* approve(uuid, held[0].id, moderator)).status, 204)
    })
  )
})
