import { assert, layer } from "@effect/vitest"
import { sayIn } from "@kinora/domain/i18n/Say"
import { messages } from "@kinora/domain/messages/en/notices"
import { notificationText } from "@kinora/domain/text/NotificationText"
import type { Notification } from "@kinora/domain/wire/Notification"
import { FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { defaultNotifications } from "../../../src/people/user/UserPreferences.ts"
import { NotificationFanOut } from "../../../src/social/notification/NotificationFanOut.ts"
import { Follows } from "../../../src/federation/follow/Follows.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { actorId, farActor, type ShownFollow, told } from "./FarActors.ts"

const path = "/api/v1/server"

const asRoot = Effect.fnUntraced(function* (method: string, tail: string, body?: unknown) {
  const { access_token } = yield* login("root", rootPassword)
  return yield* send(path + tail, {
    method,
    headers: { ...bearer(access_token).headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

const list = Effect.fnUntraced(function* (tail: string) {
  const { json } = yield* send(path + tail)
  return json as { total: number; data: ReadonlyArray<ShownFollow> }
})

const jobs = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ type: string; payload: Record<string, unknown> }>`
    select type, payload from job where state in ('waiting', 'delayed') order by id`
})

layer(testNode(), { excludeTestServices: true, timeout: 60_000 })("follows of the instance", (it) => {
  it.effect("are asked for by hosts and handles, in the background, and can be dropped", () =>
    Effect.gen(function* () {
      const refused = yield* asRoot("POST", "/following", {
        hosts: ["far.example", "https://Near.example/", "no host", "far.example", "localhost:9000"],
        handles: ["ann@far.example", "ann", "x@y@z"]
      })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(refused.json["invalid-params"]), [
        "hosts[2]",
        "hosts[3]",
        "hosts[4]",
        "handles[1]",
        "handles[2]"
      ])
      assert.strictEqual((yield* asRoot("POST", "/following", { hosts: [], handles: [] })).status, 400)
      assert.strictEqual((yield* asRoot("POST", "/following", { hosts: [{}] })).status, 400)
      assert.deepStrictEqual(yield* jobs, [])

      const wanted = { hosts: ["https://Near.example/", "far.example"], handles: ["@Ann@far.example"] }
      assert.strictEqual((yield* asRoot("POST", "/following", wanted)).status, 204)
      assert.strictEqual((yield* asRoot("POST", "/following", wanted)).status, 204)
      assert.deepStrictEqual(
        (yield* jobs).map(({ payload, type }) => [type, payload.name, payload.host]),
        [
          ["activitypub-follow", null, "near.example"],
          ["activitypub-follow", null, "far.example"],
          ["activitypub-follow", "ann", "far.example"]
        ]
      )
      assert.strictEqual((yield* asRoot("DELETE", "/following/near.example")).status, 204)
      assert.strictEqual((yield* asRoot("DELETE", "/following/near.example")).status, 404)
      assert.strictEqual((yield* asRoot("DELETE", "/following/ann@far.example")).status, 204)
      assert.strictEqual((yield* asRoot("DELETE", "/following/nothing at all")).status, 400)
      assert.strictEqual((yield* jobs).length, 1)
    })
  )

  it.effect("begin with a Follow, stand when they are accepted, and end with an Undo", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const follows = yield* Follows
      const rows = yield* FollowRows
      const far = yield* farActor("peertube", { type: "Application" })
      const channel = yield* farActor("far_channel", { type: "Group" })
      assert.strictEqual(yield* rows.askForInstance(far, { automatic: false }), "pending")
      assert.strictEqual(yield* rows.askForInstance(far, { automatic: false }), "known")
      assert.strictEqual(yield* rows.askForInstance(channel, { automatic: false }), "pending")
      assert.strictEqual(yield* rows.askForInstance(yield* actorId("peertube"), { automatic: false }), "known")
      assert.deepStrictEqual(yield* told, [
        "Follow https://far.example/accounts/peertube to https://far.example/accounts/peertube/inbox",
        "Follow https://far.example/video-channels/far_channel to https://far.example/video-channels/far_channel/inbox"
      ])
      assert.strictEqual((yield* list("/following?state=accepted")).total, 0)
      const waiting = yield* list("/following?state=pending&sort=createdAt")
      assert.deepStrictEqual(
        waiting.data.map((it) => [it.follower.name, it.following.name, it.following.host, it.state, it.score]),
        [
          ["peertube", "peertube", "far.example", "pending", 1000],
          ["peertube", "far_channel", "far.example", "pending", 1000]
        ]
      )
      assert.strictEqual((yield* list("/following?actorType=Group")).data[0]!.following.name, "far_channel")
      assert.strictEqual((yield* list("/following?search=channel@FAR")).total, 1)
      assert.strictEqual((yield* send(`${path}/following?sort=score`)).status, 400)
      assert.strictEqual((yield* send(`${path}/following?state=rejected&actorType=Cat`)).status, 400)

      const [follow] = yield* sql<{ url: string }>`select url from actor_follow where target_actor_id = ${far}`
      assert.strictEqual(yield* follows.accepted({ id: channel }, follow!.url), false, "it was not asked of them")
      assert.strictEqual(yield* follows.accepted({ id: far }, "https://far.example/other"), false)
      assert.strictEqual(yield* follows.accepted({ id: far }, follow!.url), true)
      assert.strictEqual(yield* follows.accepted({ id: far }, follow!.url), true, "again is no harm")
      assert.strictEqual(yield* follows.accepted({ id: channel }, { localActorId: yield* actorId("peertube") }), true)
      assert.deepStrictEqual(
        (yield* jobs).filter(({ type }) => type === "activitypub-http-fetcher").map(({ payload }) => payload.actorId),
        [far, channel]
      )
      assert.deepStrictEqual(
        (yield* list("/following?sort=-redundancyAllowed")).data.map((it) => it.state),
        ["accepted", "accepted"]
      )
      assert.strictEqual((yield* send("/api/v1/accounts/peertube")).json.followingCount, 2)

      assert.strictEqual(yield* follows.rejected({ id: channel }, { localActorId: yield* actorId("peertube") }), true)
      assert.strictEqual((yield* list("/following")).total, 1)
      assert.strictEqual((yield* asRoot("DELETE", "/following/far.example")).status, 204)
      assert.strictEqual((yield* list("/following")).total, 0)
      assert.deepStrictEqual(yield* told, [`Undo ${follow!.url} to https://far.example/accounts/peertube/inbox`])
      // Who said no may be asked once more.
      assert.strictEqual(yield* rows.askForInstance(channel, { automatic: false }), "pending")
      assert.deepStrictEqual((yield* told).length, 1)
      assert.strictEqual((yield* asRoot("DELETE", "/following/far_channel@far.example")).status, 204)
    })
  )

  it.effect("of others are let in at once, and can be refused or removed", () =>
    Effect.gen(function* () {
      const follows = yield* Follows
      const instance = yield* actorId("peertube")
      const near = yield* farActor("peertube", { type: "Application", host: "near.example" })
      const uri = "https://near.example/follows/1"
      const ask = (id = uri) => follows.received({ id }, { id: near }, instance)
      const inbox = "https://near.example/accounts/peertube/inbox"
      yield* told

      assert.deepStrictEqual(yield* ask(), Option.some("accepted"))
      assert.deepStrictEqual(yield* told, [`Accept ${uri} to ${inbox}`])
      const { data } = yield* list("/followers")
      assert.deepStrictEqual(
        data.map((it) => [it.follower.host, it.following.host, it.state]),
        [["near.example", "localhost:9000", "accepted"]]
      )
      // Who asks again has lost the answer.
      assert.deepStrictEqual(yield* ask(`${uri}/again`), Option.some("accepted"))
      assert.deepStrictEqual(yield* told, [`Accept ${uri}/again to ${inbox}`])
      assert.strictEqual((yield* list("/followers")).total, 1)
      // An id that is another's follow changes nothing.
      const other = yield* farActor("other", { host: "near.example" })
      assert.deepStrictEqual(yield* follows.received({ id: `${uri}/again` }, { id: other }, instance), Option.none())
      assert.deepStrictEqual(yield* follows.received({ id: uri }, { id: near }, other), Option.none())

      for (const tail of ["/reject", "/accept"]) {
        assert.strictEqual((yield* asRoot("POST", `/followers/nobody@near.example${tail}`)).status, 404)
        assert.strictEqual((yield* asRoot("POST", `/followers/peertube${tail}`)).status, 400)
      }
      assert.strictEqual((yield* asRoot("POST", "/followers/peertube@near.example/reject")).status, 204)
      assert.deepStrictEqual(yield* told, [`Reject ${uri}/again to ${inbox}`])
      assert.strictEqual((yield* list("/followers")).total, 0)
      assert.deepStrictEqual(yield* ask(`${uri}/3`), Option.some("rejected"))
      assert.deepStrictEqual(yield* told, [`Reject ${uri}/3 to ${inbox}`])
      assert.strictEqual((yield* asRoot("POST", "/followers/peertube@near.example/accept")).status, 204)
      assert.deepStrictEqual(yield* told, [`Accept ${uri}/3 to ${inbox}`])
      assert.strictEqual((yield* asRoot("DELETE", "/followers/peertube@near.example")).status, 204)
      assert.deepStrictEqual(yield* told, [`Reject ${uri}/3 to ${inbox}`])
      assert.strictEqual((yield* asRoot("DELETE", "/followers/peertube@near.example")).status, 404)
      assert.deepStrictEqual(yield* ask(`${uri}/4`), Option.some("accepted"))

      assert.strictEqual(yield* follows.undone({ id: other }, `${uri}/4`), false)
      assert.strictEqual(yield* follows.undone({ id: near }, `${uri}/4`), true)
      assert.strictEqual((yield* list("/followers")).total, 0)
      assert.strictEqual((yield* send("/api/v1/accounts/peertube")).json.followersCount, 0)
    })
  )

  it.effect("of others reach channels and accounts, unless they are blocked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const follows = yield* Follows
      const channel = yield* actorId("root_channel")
      const fan = yield* farActor("fan", { host: "fans.example" })
      const ask = (n: number, target = channel) =>
        follows.received({ id: `https://fans.example/f/${n}` }, { id: fan }, target)
      assert.deepStrictEqual(yield* ask(1), Option.some("accepted"))
      assert.strictEqual((yield* send("/api/v1/video-channels/root_channel")).json.followersCount, 1)
      assert.deepStrictEqual(yield* ask(2, yield* actorId("root")), Option.some("accepted"))
      yield* sql`
        insert into account_block (account_id, target_account_id) select m.id, t.id from account m, account t
        where m.actor_id = ${yield* actorId("root")} and t.actor_id = ${fan}`
      assert.deepStrictEqual(yield* ask(3), Option.some("rejected"))
      assert.strictEqual((yield* send("/api/v1/video-channels/root_channel")).json.followersCount, 0)
      yield* sql`delete from account_block`
      assert.deepStrictEqual(yield* ask(4), Option.some("accepted"))
      yield* sql`
        insert into server_block (account_id, server_id) select m.id, a.server_id from account m, actor a
        where m.actor_id = ${yield* actorId("peertube")} and a.id = ${fan}`
      assert.deepStrictEqual(yield* ask(5), Option.some("rejected"))
    })
  )
})

const choosy = NotificationFanOut.layer.pipe(
  Layer.provideMerge(
    testNode({
      followers: { instance: { manual_approval: true } },
      followings: { instance: { auto_follow_back: { enabled: true } } }
    })
  )
)

layer(choosy, { excludeTestServices: true, timeout: 60_000 })("followers an administrator looks at", (it) => {
  it.effect("wait, are told of, and are followed back once they are let in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const follows = yield* Follows
      const instance = yield* actorId("peertube")
      const near = yield* farActor("peertube", { type: "Application", host: "near.example" })
      const uri = "https://near.example/follows/1"
      assert.deepStrictEqual(yield* follows.received({ id: uri }, { id: near }, instance), Option.some("pending"))
      assert.deepStrictEqual(yield* told, [])
      assert.strictEqual((yield* list("/followers?state=pending")).total, 1)
      assert.strictEqual((yield* list("/following")).total, 0)
      assert.strictEqual((yield* asRoot("POST", "/followers/peertube@near.example/accept")).status, 204)
      const inbox = "https://near.example/accounts/peertube/inbox"
      assert.deepStrictEqual((yield* told).sort(), [
        `Accept ${uri} to ${inbox}`,
        `Follow https://near.example/accounts/peertube to ${inbox}`
      ])
      assert.strictEqual((yield* list("/following")).data[0]!.following.host, "near.example")
      const events = yield* sql<{ tag: string }>`select tag from notification_event order by id`
      assert.deepStrictEqual(
        events.map(({ tag }) => tag),
        ["NewInstanceFollower", "AutoInstanceFollowing"]
      )
      const fanOut = yield* NotificationFanOut
      while (yield* fanOut.step({ defaults: defaultNotifications, mails: false }));
      const { access_token } = yield* login("root", rootPassword)
      const { json } = yield* send("/api/v1/users/me/notifications", bearer(access_token))
      assert.deepStrictEqual(
        (json.data as ReadonlyArray<Notification>).map((it) => [
          it.type,
          it.actorFollow?.state,
          it.actorFollow?.follower.host,
          it.actorFollow?.following.type,
          notificationText(it, "localhost:9000", sayIn<typeof messages>("en", messages)).title
        ]),
        [
          [14, "pending", "localhost:9000", "instance", "Your instance follows near.example back"],
          [13, "accepted", "near.example", "instance", "near.example follows your instance"]
        ]
      )
      // People who follow the instance are not followed back.
      const person = yield* farActor("ann", { host: "near.example" })
      yield* follows.received({ id: "https://near.example/follows/2" }, { id: person }, instance)
      assert.strictEqual((yield* asRoot("POST", "/followers/ann@near.example/accept")).status, 204)
      assert.strictEqual((yield* list("/following")).total, 1)
    })
  )
})

const closed = testNode({ followers: { instance: { enabled: false } }, federation: { enabled: false } })

layer(closed, { excludeTestServices: true, timeout: 60_000 })("an instance nobody may follow", (it) => {
  it.effect("refuses, but not who follows its channels", () =>
    Effect.gen(function* () {
      const follows = yield* Follows
      const near = yield* farActor("peertube", { type: "Application", host: "near.example" })
      const ask = (n: number, target: number) =>
        follows.received({ id: `https://near.example/follows/${n}` }, { id: near }, target)
      assert.deepStrictEqual(yield* ask(1, yield* actorId("peertube")), Option.some("rejected"))
      assert.deepStrictEqual(yield* ask(2, yield* actorId("root_channel")), Option.some("accepted"))
      assert.strictEqual((yield* list("/followers")).total, 0)
    })
  )

  it.effect("and that does not federate asks nobody", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* asRoot("POST", "/following", { hosts: ["far.example"] })).status, 403)
      const { access_token } = yield* login("root", rootPassword)
      const uri = "channel@far.example"
      const init = { ...bearer(access_token), method: "POST", body: new URLSearchParams({ uri }) }
      assert.strictEqual((yield* send("/api/v1/users/me/subscriptions", init)).status, 404)
      assert.deepStrictEqual(yield* jobs, [])
    })
  )
})
