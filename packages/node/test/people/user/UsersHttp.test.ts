import { assert, layer } from "@effect/vitest"
import { lockRegistrations } from "@kinora/storage/people/registration/SignupRows"
import { Context, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { User } from "@kinora/domain/wire/User"
import { type Answer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { somebodyWaits } from "../../../../storage/test/support/Waiters.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { asked, call, enrol, isIn, mails, password, rootToken, tokenOf } from "./UserCalls.ts"

const decodeUser = Schema.decodeUnknownEffect(User)

/** Names of the failing fields of a refused request. */
const refused = (answer: Answer) => {
  assert.strictEqual(answer.status, 400, answer.text)
  return Object.keys(answer.json["invalid-params"]).toSorted()
}

const AnyValue = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Null,
  Schema.Array(Schema.String),
  Schema.Record(Schema.String, Schema.String)
])
const AnyField = Schema.optionalKey(AnyValue)
const AnyChange = Schema.Struct({
  username: AnyField,
  email: AnyField,
  emailVerified: AnyField,
  videoQuota: AnyField,
  videoQuotaDaily: AnyField,
  pluginAuth: AnyField,
  role: AnyField,
  adminFlags: AnyField,
  channelName: AnyField,
  password: AnyField,
  reason: AnyField
})

/** The first administrator, logged in once. */
class RootToken extends Context.Service<RootToken, string>()("@kinora/node/test/users/RootToken") {
  static readonly layer = Layer.effect(RootToken, rootToken)
}

const node = RootToken.layer.pipe(Layer.provideMerge(testNode()))

layer(node, { excludeTestServices: true, timeout: 120_000 })("/users", (it) => {
  it.effect("are made, read, changed and deleted", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const made = yield* call(
        "POST",
        "",
        root,
        asked("ada", { videoQuota: 500, adminFlags: 1, channelName: "Ada.tv" })
      )
      assert.strictEqual(made.status, 200, made.text)
      const { account, id } = made.json.user
      const one = yield* call("GET", `/${id}`, root)
      yield* decodeUser(one.json)
      assert.deepInclude(one.json, {
        username: "ada",
        email: "ada@example.com",
        role: { id: 2, label: "User" },
        videoQuota: 500,
        videoQuotaDaily: -1,
        videoQuotaUsed: 0,
        adminFlags: 1,
        blocked: false,
        blockedReason: null,
        emailVerified: null,
        lastLoginDate: null,
        pluginAuth: null
      })
      assert.strictEqual(one.json.account.id, account.id)
      assert.deepStrictEqual(
        one.json.videoChannels.map((channel: { name: string }) => channel.name),
        ["Ada.tv"]
      )
      assert.notProperty(one.json, "videosCount")
      assert.notInclude(one.text, "assword")

      const token = yield* tokenOf("ada")
      const changed = yield* call("PUT", `/${id}`, root, {
        email: "ada@example.org",
        emailVerified: true,
        videoQuota: -1,
        videoQuotaDaily: 7,
        pluginAuth: null,
        role: 1,
        adminFlags: 0,
        password: "password2"
      })
      assert.strictEqual(changed.status, 204, changed.text)
      assert.isFalse(yield* isIn(token))
      const again = yield* call("GET", `/${id}`, root)
      assert.deepInclude(again.json, {
        email: "ada@example.org",
        emailVerified: true,
        role: { id: 1, label: "Moderator" },
        videoQuota: -1,
        videoQuotaDaily: 7,
        adminFlags: 0
      })
      const other = yield* tokenOf("ada", "password2")
      assert.strictEqual((yield* call("PUT", `/${id}`, root, {})).status, 204)
      assert.isTrue(yield* isIn(other))

      assert.strictEqual((yield* call("DELETE", `/${id}`, root)).status, 204)
      assert.strictEqual((yield* call("GET", `/${id}`, root)).status, 404)
      assert.isFalse(yield* isIn(other))
      assert.strictEqual((yield* send("/api/v1/accounts/ada")).status, 404)
      assert.strictEqual((yield* send("/api/v1/video-channels/Ada.tv")).status, 404)
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["POST", "/block"],
        ["POST", "/unblock"]
      ] as const) {
        const gone = yield* call(method, `/${id}${path}`, root, method === "GET" ? undefined : {})
        assert.deepStrictEqual([method, path, gone.status], [method, path, 404])
      }
      // The name is free again.
      assert.strictEqual((yield* call("POST", "", root, asked("ada", { channelName: "Ada.tv" }))).status, 200)
      assert.deepStrictEqual(yield* mails, [])
    })
  )

  it.effect("are told with counts when these are asked for", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id } = yield* enrol("counted")
      const video = yield* addVideo({ owner: "counted" })
      yield* addVideo({ owner: "counted", privacy: 3 })
      const sql = yield* SqlClient
      yield* sql`
        insert into video_comment (url, video_id, account_id, text)
        select 'https://a.example/c/1', ${video.id}, id, 'said' from account where user_id = ${id}`
      const { json } = yield* call("GET", `/${id}?withStats=true`, root)
      yield* decodeUser(json)
      assert.deepInclude(json, {
        videosCount: 2,
        abusesCount: 0,
        abusesAcceptedCount: 0,
        abusesCreatedCount: 0,
        videoCommentsCount: 1
      })
      assert.isAbove(json.videoQuotaUsed, 0)
      assert.strictEqual(json.videoQuotaUsedDaily, json.videoQuotaUsed)
      yield* sql`update video set created_at = now() - interval '2 days' where privacy = 3`
      const later = (yield* call("GET", `/${id}`, root)).json
      assert.strictEqual(later.videoQuotaUsed, json.videoQuotaUsed)
      assert.strictEqual(later.videoQuotaUsedDaily * 2, json.videoQuotaUsed)
      assert.strictEqual(later.totalVideoFileSize, json.videoQuotaUsed)
    })
  )

  it.effect("are blocked, which ends their sessions at once, and let in again (AUT-11)", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id, token } = yield* enrol("noisy")
      const { access_token: other, refresh_token } = yield* login("noisy", password)
      const blocked = yield* call("POST", `/${id}/block`, root, { reason: "Too noisy" })
      assert.strictEqual(blocked.status, 204, blocked.text)
      assert.isFalse((yield* isIn(token)) || (yield* isIn(other)))
      const refresh = yield* postForm(yield* tokenForm({ grant_type: "refresh_token", refresh_token }))
      assert.strictEqual(refresh.status, 400)
      const back = yield* postForm(yield* tokenForm({ grant_type: "password", username: "noisy", password }))
      assert.strictEqual(back.json.code, "account_blocked")
      assert.deepInclude((yield* call("GET", `/${id}`, root)).json, { blocked: true, blockedReason: "Too noisy" })
      const list = yield* call("GET", "?blocked=true", root)
      assert.deepStrictEqual([list.json.total, list.json.data[0].username], [1, "noisy"])
      assert.strictEqual((yield* call("POST", `/${id}/unblock`, root)).status, 204)
      assert.strictEqual((yield* call("POST", `/${id}/unblock`, root)).status, 204)
      assert.deepInclude((yield* call("GET", `/${id}`, root)).json, { blocked: false, blockedReason: null })
      assert.isTrue(yield* isIn(yield* tokenOf("noisy")))
      assert.isFalse(yield* isIn(token))
      // A reason is not needed, and neither is a body.
      assert.strictEqual((yield* call("POST", `/${id}/block`, root)).status, 204)
      assert.strictEqual((yield* call("GET", `/${id}`, root)).json.blockedReason, null)
      yield* call("POST", `/${id}/unblock`, root)
      assert.deepStrictEqual(refused(yield* call("POST", `/${id}/block`, root, { reason: "x".repeat(501) })), [
        "reason"
      ])
      assert.deepStrictEqual(refused(yield* call("POST", `/${id}/block`, root, { reason: 5 })), ["reason"])
      assert.strictEqual((yield* call("POST", `/${id}/block`, root, { reason: "" })).status, 204)
      yield* call("DELETE", `/${id}`, root)
    })
  )

  it.effect("keep a name and an address each for one user", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const { id } = yield* enrol("first")
      const sql = yield* SqlClient
      yield* sql`
        insert into user_registration (username, email, password_hash, registration_reason, channel_handle)
        values ('waiting', 'waiting@example.com', 'x', 'please', 'waiting_tv'),
          ('fourth', 'fourth@example.com', 'x', 'please', 'third_channel')`
      const third = yield* call("POST", "", root, asked("third"))
      const channels = (yield* call("GET", `/${third.json.user.id}`, root)).json.videoChannels
      assert.strictEqual(channels[0].name, "third_channel-1")
      for (const [body, about] of [
        [asked("first", { email: "other@example.com" }), "first"],
        [asked("first_channel"), "first_channel"],
        [asked("second", { channelName: "FIRST" }), "first"],
        [asked("second", { email: "FIRST@example.com" }), "FIRST@example.com"],
        [asked("peertube"), "peertube"],
        [asked("waiting", { email: "w@example.com" }), "waiting"],
        [asked("second", { channelName: "Waiting_TV" }), "waiting_tv"]
      ] as const) {
        const answer = yield* call("POST", "", root, body)
        assert.strictEqual(answer.status, 409, answer.text)
        assert.include(answer.json.detail.toLowerCase(), about.toLowerCase())
      }
      for (const body of [asked("twin"), asked("other_twin", { channelName: "one_of_two" })]) {
        const [one, two] = yield* Effect.all(
          [call("POST", "", root, body), call("POST", "", root, { ...body, email: "twin2@example.com" })],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([one.status, two.status].toSorted(), [200, 409])
      }
      const admin = (yield* call("GET", "/me", root)).json.email
      const clash = yield* call("PUT", `/${id}`, root, { email: admin.toUpperCase(), videoQuota: 12 })
      assert.strictEqual(clash.status, 409, clash.text)
      assert.strictEqual((yield* call("GET", `/${id}`, root)).json.videoQuota, -1)
      // Letters of one's own address may change their case.
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { email: "First@example.com" })).status, 204)
    })
  )

  it.effect("are refused with every failing field named", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      assert.deepStrictEqual(refused(yield* call("POST", "", root, {})), ["email", "password", "role", "username"])
      const all = yield* call("POST", "", root, {
        username: "Upper",
        email: "nobody",
        password: "ä".repeat(40),
        role: 3,
        adminFlags: 2,
        channelName: "a b",
        videoQuota: -2,
        videoQuotaDaily: "many",
        unknown: "ignored"
      })
      assert.deepStrictEqual(refused(all), [
        "adminFlags",
        "channelName",
        "email",
        "password",
        "role",
        "username",
        "videoQuota",
        "videoQuotaDaily"
      ])
      assert.notInclude(all.text, "ä")
      for (const wrong of [null, [], {}, 5, true, "x".repeat(60), "\u0000", "\ud800"]) {
        for (const field of ["username", "email", "password", "role", "videoQuota", "channelName", "adminFlags"]) {
          if (field === "videoQuota" && wrong === 5) continue
          const answer = yield* call("POST", "", root, JSON.stringify(asked("odd", { [field]: wrong })))
          assert.deepStrictEqual([field, refused(answer)], [field, [field]])
        }
      }
      assert.deepStrictEqual(refused(yield* call("POST", "", root, asked("odd", { password: "" }))), ["password"])
      assert.deepStrictEqual(refused(yield* call("POST", "", root, asked("odd", { password: "12345" }))), ["password"])
      assert.deepStrictEqual(refused(yield* call("POST", "", root, asked("odd", { channelName: "ODD" }))), [
        "channelName"
      ])
      const { id } = yield* enrol("steady")
      const change = yield* call("PUT", `/${id}`, root, {
        email: "@",
        emailVerified: "maybe",
        videoQuota: 1.5,
        videoQuotaDaily: -9,
        pluginAuth: "ldap",
        role: "admin",
        adminFlags: -1,
        password: "short"
      })
      assert.deepStrictEqual(refused(change), [
        "adminFlags",
        "email",
        "emailVerified",
        "password",
        "pluginAuth",
        "role",
        "videoQuota",
        "videoQuotaDaily"
      ])
      assert.strictEqual((yield* call("POST", "", root, "{")).status, 400)
      assert.strictEqual((yield* call("POST", "", root, "[1]")).status, 400)
      for (const bad of ["0", "-1", "1.5", "steady", "2147483648", "1%00", "%F0%9F%98%80"]) {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const answer = yield* call(method, `/${bad}`, root, method === "PUT" ? {} : undefined)
          assert.strictEqual(answer.status, 400, `${method} ${bad}: ${answer.text}`)
        }
        assert.deepStrictEqual(refused(yield* call("POST", `/${bad}/block`, root)), ["id"])
      }
      assert.strictEqual((yield* call("GET", `/2147483647`, root)).status, 404)
    })
  )

  it.effect("take forms where JSON is documented", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      const form = new URLSearchParams({ ...asked("former"), role: "2", videoQuota: "5" } as Record<string, string>)
      const headers = { authorization: `Bearer ${root}` }
      const made = yield* send("/api/v1/users/", { method: "POST", headers, body: form })
      assert.strictEqual(made.status, 200, made.text)
      const { id } = made.json.user
      const body = new URLSearchParams({ pluginAuth: "null", emailVerified: "true", videoQuota: "-1" })
      assert.strictEqual((yield* send(`/api/v1/users/${id}`, { method: "PUT", headers, body })).status, 204)
      assert.deepInclude((yield* call("GET", `/${id}`, root)).json, { emailVerified: true, videoQuota: -1 })
    })
  )

  it.effect("get no name that somebody asks to register with in that moment", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const root = yield* RootToken
      const late = yield* Effect.gen(function* () {
        yield* lockRegistrations(sql)
        const late = yield* Effect.forkChild(call("POST", "", root, asked("wanted", { channelName: "also.wanted" })))
        yield* somebodyWaits
        yield* sql`
          insert into user_registration (username, email, password_hash, registration_reason, channel_handle)
          values ('somebody', 'somebody@example.com', 'x', 'please', 'also.wanted')`
        return late
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.strictEqual(late.status, 409, late.text)
      assert.include(late.json.detail, "also.wanted")
    })
  )

  it.effect.prop(
    "are never the reason of a 500",
    { body: AnyChange, text: Schema.String },
    Effect.fnUntraced(function* ({ body, text }) {
      const root = yield* RootToken
      const sql = yield* SqlClient
      const users = yield* sql<{ id: number }>`select id from app_user where username = 'steady'`
      const path = `/${users[0]!.id}`
      const part = encodeURIComponent(text.toWellFormed())
      const answers = [
        yield* call("PUT", path, root, body),
        yield* call("POST", "", root, { ...body, role: 2, email: "root" }),
        yield* call("POST", `${path}/block`, root, body),
        yield* call("POST", `${path}/unblock`, root),
        yield* call("GET", `?search=${part}&sort=${part}`, root),
        yield* call("GET", `?search=${part}`, root),
        yield* call("GET", `/autocomplete?search=${part}`)
      ]
      for (const answer of answers) assert.include([200, 204, 400, 409], answer.status, answer.text)
    }),
    { arbitrary: { runs: 60 }, timeout: 60_000 }
  )
})
