import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../../video/list/People.ts"

const path = "/api/v1/users/me/subscriptions"

const as = Effect.fnUntraced(function* (who: "owner" | "other", method: string, tail = "", body?: unknown) {
  const token = (yield* People)[who]
  return yield* send(path + tail, {
    method,
    headers: { ...bearer(token).headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

const follow = (who: "owner" | "other", uri: unknown) => as(who, "POST", "", { uri })

const counts = Effect.gen(function* () {
  const channel = (yield* send("/api/v1/video-channels/owner_channel")).json
  const account = (yield* send("/api/v1/accounts/other")).json
  return [channel.followersCount, account.followingCount]
})

/** A channel of another instance that is known here. */
const remoteChannel = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values ('far.example') on conflict do nothing`
  yield* sql`
    with a as (
      insert into actor (type, preferred_username, server_id, url, inbox_url, public_key, followers_count)
      select t.type, t.name, s.id, 'https://far.example/' || t.name, 'https://far.example/inbox', 'k', 7
      from server s, (values ('Person', 'far'), ('Group', 'far_channel')) t (type, name) where s.host = 'far.example'
      returning id, type
    ), p as (
      insert into account (actor_id, display_name) select id, 'Far' from a where type = 'Person' returning id
    )
    insert into video_channel (actor_id, account_id, display_name)
    select a.id, p.id, 'Far away' from a, p where a.type = 'Group'`
}).pipe(Effect.orDie)

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("Subscriptions", (it) => {
  it.effect("follow a channel of this instance at once, and count it once", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* counts, [0, 0])
      assert.strictEqual((yield* follow("other", "owner_channel@localhost:9000")).status, 204)
      assert.strictEqual((yield* follow("other", "owner_channel")).status, 204)
      assert.deepStrictEqual(yield* counts, [1, 1])

      const listed = (yield* as("other", "GET")).json
      assert.strictEqual(listed.total, 1)
      assert.strictEqual(listed.data[0].name, "owner_channel")
      assert.strictEqual(listed.data[0].ownerAccount.name, "owner")
      assert.strictEqual((yield* as("other", "GET", "/owner_channel")).json.name, "owner_channel")
      const exist = yield* as(
        "other",
        "GET",
        "/exist?uris=owner_channel@localhost:9000&uris=other_channel&uris=owner_channel@far.example&uris=@owner_channel"
      )
      assert.deepStrictEqual(exist.json, {
        "owner_channel@localhost:9000": true,
        other_channel: false,
        "owner_channel@far.example": false,
        "@owner_channel": true
      })

      assert.strictEqual((yield* as("other", "DELETE", "/owner_channel")).status, 204)
      assert.deepStrictEqual(yield* counts, [0, 0])
      assert.strictEqual((yield* as("other", "DELETE", "/owner_channel")).status, 404)
      assert.strictEqual((yield* as("other", "GET", "/owner_channel")).status, 404)
    })
  )

  it.effect("are counted exactly when many begin and end at once, and go with their follower", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rounds = Array.from({ length: 12 }, (_, n) => n)
      yield* Effect.forEach(
        rounds,
        (n) =>
          n % 3 === 2
            ? as("other", "DELETE", "/owner_channel")
            : Effect.andThen(follow("other", "owner_channel"), follow("owner", "owner_channel")),
        { concurrency: 6, discard: true }
      )
      yield* follow("other", "owner_channel")
      assert.deepStrictEqual(yield* counts, [2, 1])
      yield* sql`delete from actor_follow where actor_id = (select actor_id from account a join app_user u on u.id = a.user_id
        where u.username = 'owner')`
      assert.deepStrictEqual(yield* counts, [1, 1])
      yield* sql`update actor_follow set state = 'rejected'`
      assert.deepStrictEqual(yield* counts, [0, 0])
      assert.strictEqual((yield* follow("other", "owner_channel")).status, 204)
      assert.deepStrictEqual(yield* counts, [1, 1])
    })
  )

  it.effect("ask a channel of another instance, whose own count stays", () =>
    Effect.gen(function* () {
      yield* remoteChannel
      assert.strictEqual((yield* follow("owner", "far_channel@far.example")).status, 204)
      const sql = yield* SqlClient
      assert.deepStrictEqual(
        yield* sql`select f.state, t.followers_count as followers from actor_follow f join actor t on t.id = f.target_actor_id
          where t.preferred_username = 'far_channel'`,
        [{ state: "pending", followers: 7 }]
      )
      assert.deepStrictEqual((yield* as("owner", "GET", "/exist?uris=far_channel@far.example")).json, {
        "far_channel@far.example": true
      })
      assert.strictEqual((yield* as("owner", "GET", "/far_channel@far.example")).status, 404)
      yield* sql`update actor_follow set state = 'accepted' where state = 'pending'`
      assert.strictEqual((yield* as("owner", "GET", "/far_channel@far.example")).json.displayName, "Far away")
      assert.strictEqual((yield* as("owner", "GET", "?search=far.example")).json.total, 1)
      assert.strictEqual((yield* as("owner", "GET", "?search=nowhere")).json.total, 0)
      assert.strictEqual((yield* as("owner", "DELETE", "/far_channel@far.example")).status, 204)
      assert.strictEqual((yield* follow("owner", "nobody@elsewhere.example")).status, 204)
    })
  )

  it.effect("sort, and refuse what is nothing", () =>
    Effect.gen(function* () {
      yield* follow("other", "owner_channel")
      yield* follow("other", "other_channel")
      yield* follow("other", "root_channel")
      const names = Effect.fnUntraced(function* (query: string) {
        return (yield* as("other", "GET", query)).json.data.map((it: { name: string }) => it.name)
      })
      assert.deepStrictEqual(yield* names(""), ["root_channel", "other_channel", "owner_channel"])
      assert.deepStrictEqual(yield* names("?sort=createdAt&start=1&count=1"), ["other_channel"])
      assert.strictEqual((yield* names("?sort=-channelUpdatedAt")).length, 3)
      assert.strictEqual((yield* as("other", "GET", "?sort=name")).status, 400)
      assert.strictEqual((yield* follow("other", "no_such_channel")).status, 404)
      assert.strictEqual((yield* follow("other", "owner")).status, 404)
      assert.strictEqual((yield* follow("other", "not a handle")).status, 400)
      assert.strictEqual((yield* follow("other", undefined)).status, 400)
      assert.deepStrictEqual((yield* as("other", "GET", "/exist?uris=owner_channel")).json, { owner_channel: true })
      assert.strictEqual((yield* as("other", "GET", "/exist")).status, 400)
      assert.strictEqual((yield* send(path)).status, 401)
    })
  )
})
