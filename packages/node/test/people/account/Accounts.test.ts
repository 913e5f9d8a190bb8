import { assert, layer } from "@effect/vitest"
import { Account } from "@kinora/domain/wire/Account"
import { FollowList } from "@kinora/domain/wire/Follow"
import { VideoRating } from "@kinora/domain/wire/VideoRating"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ask, crewNode, type Member, members, refused } from "../channel/Crew.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { follow, remoteAccount } from "./Follows.ts"

const isAccounts = Schema.is(Schema.Array(Account))
const isFollows = Schema.is(FollowList)
const isRatings = Schema.is(Schema.Array(VideoRating))

const names = (json: { readonly data: ReadonlyArray<{ readonly name: string }> }) => json.data.map(({ name }) => name)

const statusesOf = Effect.fnUntraced(function* (path: string) {
  const statuses: Record<string, number> = {}
  for (const who of members) statuses[who] = (yield* ask(who, "GET", path)).status
  return statuses
})

const badPages = ["count=-1", "count=101", "start=-1", "sort=name", "sort=createdAt;drop", "sort=-", "start=x"]

/** What every list of the suite refuses, and that it answers a total alone. */
const checkPaging = Effect.fnUntraced(function* (who: Member, path: string) {
  for (const query of badPages) {
    const answer = yield* ask(who, "GET", `${path}?${query}`)
    assert.deepStrictEqual([path, query, refused(answer)], [path, query, [query.split("=")[0]!]])
  }
  const none = (yield* ask(who, "GET", `${path}?count=0`)).json
  assert.deepStrictEqual(Array.isArray(none) ? none : none.data, [])
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Accounts", (it) => {
  it.effect("are listed for everybody, those of people", () =>
    Effect.gen(function* () {
      yield* remoteAccount("oldest", "far.example", "The oldest")
      // Of others, those that the instance follows.
      assert.notInclude(names((yield* ask("anonymous", "GET", "/accounts")).json), "oldest")
      yield* follow("peertube", "oldest", 1)
      const { json } = yield* ask("anonymous", "GET", "/accounts?sort=createdAt")
      assert.isTrue(isAccounts(json.data))
      assert.deepStrictEqual(names(json), ["oldest", "root", "owner", "helper", "stranger", "moderator"])
      assert.strictEqual(json.total, 6)
      assert.deepInclude(json.data[0], { host: "far.example", createdAt: "2015-01-01T00:00:00.000Z", userId: null })
      const newest = (yield* ask("anonymous", "GET", "/accounts?count=2&start=1")).json
      assert.deepStrictEqual([newest.total, names(newest)], [6, ["stranger", "helper"]])
      yield* checkPaging("anonymous", "/accounts")
    })
  )

  it.effect("are found by their exact name", () =>
    Effect.gen(function* () {
      for (const name of ["owner", "OWNER", "owner@localhost:9000", "owner@LOCALHOST:9000"]) {
        assert.strictEqual((yield* ask("anonymous", "GET", `/accounts/${name}`)).json.name, "owner", name)
      }
      assert.strictEqual(
        (yield* ask("anonymous", "GET", "/accounts/oldest@FAR.example")).json.displayName,
        "The oldest"
      )
      for (const path of [
        "",
        "/videos",
        "/following",
        "/video-channels",
        "/followers",
        "/ratings",
        "/video-channel-syncs"
      ]) {
        for (const name of ["oldest", "owner@far.example", "o_ner", "owne_", "owner_channel"]) {
          const answer = yield* ask("owner", "GET", `/accounts/${name}${path}`)
          assert.deepInclude(
            answer.json,
            { status: 404, detail: "Account not found", type: "about:blank" },
            name + path
          )
        }
        for (const name of ["%25", "o%25", "own%20er"]) {
          assert.deepStrictEqual(refused(yield* ask("owner", "GET", `/accounts/${name}${path}`)), ["name"], name + path)
        }
      }
    })
  )

  it.effect("tell their user and moderators who follows them or their channels", () =>
    Effect.gen(function* () {
      yield* remoteAccount("fan_one", "far.example", "Ünique Fan")
      yield* follow("fan_one", "owner_channel", 30)
      yield* follow("stranger", "owner", 20)
      yield* follow("helper", "owner_channel", 10, "pending")
      yield* follow("owner", "stranger_channel", 5)
      const path = "/accounts/owner/followers"
      const { json } = yield* ask("owner", "GET", path)
      assert.isTrue(isFollows(json), JSON.stringify(json))
      const pairs = (answer: typeof json) =>
        answer.data.map((one: typeof json) => [one.follower.name, one.following.name, one.state])
      const first = ["stranger", "owner", "accepted"]
      const second = ["fan_one", "owner_channel", "accepted"]
      assert.deepStrictEqual([json.total, pairs(json)], [2, [first, second]])
      assert.deepInclude(json.data[1].follower, { host: "far.example", displayName: "Ünique Fan" })
      assert.deepStrictEqual(pairs((yield* ask("moderator", "GET", `${path}?sort=createdAt`)).json), [second, first])
      for (const [search, found] of [
        ["ünique fan", [second]],
        ["FAN_", [second]],
        ["fan_one@far", [second]],
        ["stran", [first]],
        ["fan%", []],
        ["fan__ne", []],
        ["nobody", []],
        ["", [first, second]]
      ] as const) {
        const { json } = yield* ask("owner", "GET", `${path}?search=${encodeURIComponent(search)}`)
        assert.deepStrictEqual([search, json.total, pairs(json)], [search, found.length, found])
      }
      assert.deepStrictEqual(yield* statusesOf(path), {
        anonymous: 401,
        stranger: 403,
        helper: 403,
        moderator: 200,
        owner: 200
      })
      yield* checkPaging("owner", path)
      assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${path}?search=${"x".repeat(501)}`)), ["search"])

      const ofChannel = "/video-channels/owner_channel/followers"
      const channel = (yield* ask("helper", "GET", ofChannel)).json
      assert.isTrue(isFollows(channel))
      assert.deepStrictEqual(pairs(channel), [second])
      assert.strictEqual((yield* ask("owner", "GET", `${ofChannel}?search=stranger`)).json.total, 0)
      assert.deepStrictEqual(yield* statusesOf(ofChannel), {
        anonymous: 401,
        stranger: 403,
        helper: 200,
        moderator: 200,
        owner: 200
      })
      yield* checkPaging("owner", ofChannel)
      assert.strictEqual((yield* ask("owner", "GET", "/video-channels/nobody/followers")).status, 404)
    })
  )

  it.effect("tell everybody whom they follow", () =>
    Effect.gen(function* () {
      yield* follow("moderator", "owner_channel", 3)
      yield* follow("moderator", "stranger", 2)
      yield* follow("moderator", "oldest", 1, "pending")
      const { json } = yield* ask("anonymous", "GET", "/accounts/moderator/following")
      assert.isTrue(isAccounts(json.data))
      assert.deepStrictEqual([json.total, names(json)], [2, ["stranger", "owner_channel"]])
      const oldest = (yield* ask("anonymous", "GET", "/accounts/moderator/following?sort=createdAt&count=1")).json
      assert.deepStrictEqual([oldest.total, names(oldest)], [2, ["owner_channel"]])
      assert.strictEqual((yield* ask("anonymous", "GET", "/accounts/stranger/following")).json.total, 1)
      yield* checkPaging("anonymous", "/accounts/moderator/following")
    })
  )

  it.effect("tell their user alone what they rated, of what can be seen", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rate = Effect.fnUntraced(function* (id: number, type: string, minutesAgo: number) {
        yield* sql`
          insert into account_video_rate (account_id, video_id, type, created_at)
          select a.id, ${id}, ${type}, now() - make_interval(mins => ${minutesAgo}::int) from account a
          join app_user u on u.id = a.user_id where u.username = 'stranger'`
      })
      const seen = yield* addVideo({ owner: "owner" })
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      const internal = yield* addVideo({ owner: "owner", privacy: 4 })
      const own = yield* addVideo({ owner: "stranger", privacy: 3 })
      yield* rate(seen.id, "like", 4)
      yield* rate(unlisted.id, "dislike", 3)
      yield* rate(internal.id, "like", 2)
      yield* rate(own.id, "like", 1)
      for (const hidden of [
        { privacy: 3 },
        { privacy: 5 },
        { blacklisted: true },
        { privacy: 2, blacklisted: true },
        { state: 2 }
      ]) {
        yield* rate((yield* addVideo({ owner: "owner", ...hidden })).id, "like", 5)
      }
      const path = "/accounts/stranger/ratings"
      const { json } = yield* ask("stranger", "GET", path)
      assert.isTrue(isRatings(json), JSON.stringify(json))
      const told = (answer: typeof json) => answer.map((one: typeof json) => [one.video.uuid, one.rating])
      const all = [
        [own.uuid, "like"],
        [internal.uuid, "like"],
        [unlisted.uuid, "dislike"],
        [seen.uuid, "like"]
      ]
      assert.deepStrictEqual(told(json), all)
      assert.deepStrictEqual(told((yield* ask("stranger", "GET", `${path}?sort=createdAt`)).json), all.toReversed())
      assert.deepStrictEqual(told((yield* ask("stranger", "GET", `${path}?rating=dislike`)).json), [all[2]])
      const page = (yield* ask("stranger", "GET", `${path}?rating=like&start=1&count=1`)).json
      assert.deepStrictEqual(told(page), [all[1]])
      assert.deepStrictEqual(refused(yield* ask("stranger", "GET", `${path}?rating=none`)), ["rating"])
      assert.deepStrictEqual((yield* ask("owner", "GET", "/accounts/owner/ratings")).json, [])
      const others = yield* statusesOf(path)
      assert.deepStrictEqual(others, { anonymous: 401, stranger: 200, helper: 403, moderator: 403, owner: 403 })
      assert.strictEqual((yield* ask("administrator", "GET", path)).status, 403)
      yield* checkPaging("stranger", path)
    })
  )
})

layer(crewNode({ accounts: { public_list: false } }), { excludeTestServices: true })(
  "Accounts of an instance that keeps their list",
  (it) => {
    it.effect("are listed for moderators alone, and found by who knows their name", () =>
      Effect.gen(function* () {
        const statuses = yield* statusesOf("/accounts")
        assert.deepInclude(statuses, { anonymous: 401, owner: 403, stranger: 403, moderator: 200 })
        assert.strictEqual((yield* ask("anonymous", "GET", "/accounts/owner")).status, 200)
      })
    )
  }
)
