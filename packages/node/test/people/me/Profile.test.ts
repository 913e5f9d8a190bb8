import { assert, layer } from "@effect/vitest"
import { notificationSettingKeys } from "@kinora/domain/enums/NotificationSetting"
import { MyUser } from "@kinora/domain/wire/MyUser"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { rootPassword, testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { newUser, password, sendJson } from "./Changes.ts"

const me = "/api/v1/users/me"
const decode = Schema.decodeUnknownEffect(MyUser)

const info = Effect.fn("info")(function* (token: string) {
  const answer = yield* send(me, bearer(token))
  assert.strictEqual(answer.status, 200, answer.text)
  yield* decode(answer.json)
  return answer.json
})

const preferences = {
  nsfwPolicy: "warn",
  nsfwFlagsDisplayed: 1,
  nsfwFlagsHidden: 2,
  nsfwFlagsWarned: 4,
  nsfwFlagsBlurred: 0,
  p2pEnabled: false,
  autoPlayVideo: false,
  autoPlayNextVideo: true,
  autoPlayNextVideoPlaylist: false,
  videosHistoryEnabled: false,
  videoLanguages: ["fr", "_unknown", "ase"],
  language: "pt-BR",
  theme: "default",
  noInstanceConfigWarningModal: true,
  noAccountSetupWarningModal: true,
  noWelcomeModal: true,
  emailPublic: true
}

layer(testNode(), { excludeTestServices: true })("The user who asks", (it) => {
  it.effect("reads back each field that was changed, and no other", () =>
    Effect.gen(function* () {
      const token = yield* newUser("changing")
      yield* addVideo({ owner: "changing" })
      const listed = Effect.map(send("/api/v1/accounts/changing/videos"), ({ json }) => json.data[0].account)
      assert.strictEqual((yield* listed).displayName, "changing")
      for (const [field, value] of Object.entries(preferences)) {
        const before = yield* info(token)
        assert.notDeepEqual(before[field] ?? null, field === "nsfwFlagsBlurred" ? 1 : value, field)
        const changed = yield* sendJson("PUT", me, token, { [field]: value })
        assert.strictEqual(changed.status, 204, changed.text)
        assert.deepStrictEqual(yield* info(token), { ...before, [field]: value })
      }
      const named = yield* sendJson("PUT", me, token, { displayName: "  Zoë 🎬 ", description: "About me", unknown: 1 })
      assert.strictEqual(named.status, 204)
      const { account } = yield* info(token)
      assert.deepInclude(account, { displayName: "Zoë 🎬", description: "About me", name: "changing" })
      assert.strictEqual((yield* listed).displayName, "Zoë 🎬")
      const shown = (yield* send("/api/v1/accounts/changing")).json
      assert.deepInclude(shown, { displayName: "Zoë 🎬", description: "About me" })
      assert.strictEqual((yield* sendJson("PUT", me, token, { description: null, videoLanguages: null })).status, 204)
      const emptied = yield* info(token)
      assert.deepStrictEqual([emptied.account.description, emptied.videoLanguages], [null, null])
      assert.strictEqual((yield* sendJson("PUT", me, token, {})).status, 204)
      assert.deepStrictEqual(yield* info(token), emptied)
    })
  )

  it.effect("may send a form", () =>
    Effect.gen(function* () {
      const token = yield* newUser("forms")
      const body = new URLSearchParams([
        ["p2pEnabled", "false"],
        ["videoLanguages[]", "de"],
        ["videoLanguages[]", "en"]
      ])
      assert.strictEqual((yield* send(me, { ...bearer(token), method: "PUT", body })).status, 204)
      assert.deepInclude(yield* info(token), { p2pEnabled: false, videoLanguages: ["de", "en"] })
    })
  )

  it.effect("is told of every field that is no good, at once", () =>
    Effect.gen(function* () {
      const token = yield* newUser("wrong")
      const before = yield* info(token)
      const wrong: Readonly<Record<string, ReadonlyArray<unknown>>> = {
        ...Object.fromEntries(Object.keys(preferences).map((field) => [field, [{ a: 1 }, [[]], 1.5, "\u0000"]])),
        nsfwPolicy: ["true", 1, null],
        nsfwFlagsHidden: [8, -1, "x", null],
        videoLanguages: [["xx-none"], [1], Array.from({ length: 501 }, () => "en"), {}],
        theme: ["dark", 1, null],
        language: ["not a tag", 5, "e"],
        password: ["12345", "€".repeat(25), 123_456, ["password"], null],
        currentPassword: [1, {}],
        email: ["nobody", "a@b\n", 7, ["a@example.com"], `${"a".repeat(300)}@example.com`],
        displayName: ["", " ", "x".repeat(121), "a\u202eb", 1, {}, null],
        description: ["ab", "x".repeat(1001), 1, {}, []],
        emailPublic: ["yes", 2, null]
      }
      for (const [field, values] of Object.entries(wrong)) {
        for (const value of values) {
          const answer = yield* sendJson("PUT", me, token, { [field]: value })
          const what = `${field}: ${JSON.stringify(value).slice(0, 80)}`
          assert.strictEqual(answer.status, 400, `${what} ${answer.text}`)
          assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [field], what)
        }
      }
      const all = Object.fromEntries(Object.entries(wrong).map(([field, values]) => [field, values[0]]))
      const answer = yield* sendJson("PUT", me, token, all)
      assert.sameMembers(Object.keys(answer.json["invalid-params"]), Object.keys(wrong))
      for (const body of [[], "text", 5, null, [{ p2pEnabled: true }]]) {
        assert.strictEqual((yield* sendJson("PUT", me, token, body)).status, 400, JSON.stringify(body))
      }
      assert.deepStrictEqual(yield* info(token), before)
    })
  )

  it.effect("cannot send bodies without end", () =>
    Effect.gen(function* () {
      const token = yield* newUser("large")
      assert.strictEqual((yield* sendJson("PUT", me, token, { description: "x".repeat(1_100_000) })).status, 413)
      const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const nested = yield* send(me, { method: "PUT", headers, body: `{"displayName":${deep}}` })
      assert.deepInclude(nested.json, { status: 400, detail: "Incorrect request parameters: displayName" })
      assert.strictEqual((yield* send(me, { method: "PUT", headers, body: '{"p2pEnabled":' })).status, 400)
      assert.strictEqual((yield* info(token)).account.description, null)
    })
  )

  it.effect("has each flag in one set: a flag moves, and is refused in two", () =>
    Effect.gen(function* () {
      const token = yield* newUser("flags")
      const both = yield* sendJson("PUT", me, token, { nsfwFlagsHidden: 3, nsfwFlagsWarned: 1, nsfwFlagsBlurred: 4 })
      assert.strictEqual(both.status, 400)
      assert.sameMembers(Object.keys(both.json["invalid-params"]), ["nsfwFlagsHidden", "nsfwFlagsWarned"])
      yield* sendJson("PUT", me, token, { nsfwFlagsHidden: 3, nsfwFlagsBlurred: 4 })
      yield* sendJson("PUT", me, token, { nsfwFlagsDisplayed: 1 })
      assert.deepInclude(yield* info(token), { nsfwFlagsDisplayed: 1, nsfwFlagsHidden: 2, nsfwFlagsBlurred: 4 })
    })
  )

  it.effect("changes the password with the present one only, which ends every other session", () =>
    Effect.gen(function* () {
      const token = yield* newUser("secretive")
      const other = (yield* login("secretive", password)).access_token
      const missing = yield* sendJson("PUT", me, token, { password: "another password" })
      assert.strictEqual(missing.status, 400)
      assert.hasAllKeys(missing.json["invalid-params"], ["currentPassword"])
      const wrong = yield* sendJson("PUT", me, token, {
        password: "another password",
        currentPassword: "password2",
        displayName: "Not taken"
      })
      assert.deepInclude(wrong.json, { status: 401, code: "current_password_is_invalid" })
      assert.strictEqual((yield* info(token)).account.displayName, "secretive")
      const changed = yield* sendJson("PUT", me, token, { password: "another password", currentPassword: password })
      assert.strictEqual(changed.status, 204, changed.text)
      const answer = yield* send(me, bearer(other)).pipe(
        Effect.repeat({ until: ({ status }) => status === 401, times: 200 })
      )
      assert.strictEqual(answer.status, 401)
      assert.strictEqual((yield* send(me, bearer(token))).status, 200)
      const old = yield* tokenForm({ grant_type: "password", username: "secretive", password })
      assert.strictEqual((yield* postForm(old)).status, 400)
      yield* login("secretive", "another password")
    })
  )

  it.effect("has ten wrong passwords in five minutes, and any number of right ones", () =>
    Effect.gen(function* () {
      const token = yield* newUser("guessing")
      const change = (currentPassword: string) =>
        Effect.map(
          sendJson("PUT", me, token, { email: "guessing@example.com", currentPassword }),
          ({ status }) => status
        )
      for (let times = 0; times < 12; times++) assert.strictEqual(yield* change(password), 204)
      const tries = yield* Effect.forEach(Array.from({ length: 12 }), () => change("password2"), { concurrency: 6 })
      assert.deepStrictEqual(
        tries.toSorted((a, b) => a - b),
        [...Array.from({ length: 10 }, () => 401), 429, 429]
      )
      assert.strictEqual(yield* change(password), 429)
    })
  )

  it.effect("changes the address with the password, and not to that of another", () =>
    Effect.gen(function* () {
      const token = yield* newUser("moving")
      yield* newUser("settled")
      const missing = yield* sendJson("PUT", me, token, { email: "new@example.com" })
      assert.hasAllKeys(missing.json["invalid-params"], ["currentPassword"])
      const wrong = yield* sendJson("PUT", me, token, { email: "new@example.com", currentPassword: "x" })
      assert.strictEqual(wrong.json.code, "current_password_is_invalid")
      const taken = yield* sendJson("PUT", me, token, {
        email: "Settled@example.com",
        currentPassword: password,
        displayName: "Not taken"
      })
      assert.strictEqual(taken.status, 409, taken.text)
      assert.deepNestedInclude(yield* info(token), { email: "moving@example.com", "account.displayName": "moving" })
      const moved = yield* sendJson("PUT", me, token, { email: "new@example.com", currentPassword: password })
      assert.strictEqual(moved.status, 204, moved.text)
      assert.deepInclude(yield* info(token), { email: "new@example.com", pendingEmail: null })
    })
  )

  it.effect(
    "chooses what to be told of, key by key",
    () =>
      Effect.gen(function* () {
        const path = `${me}/notification-settings`
        const token = yield* newUser("told")
        for (const key of notificationSettingKeys) {
          for (const value of [0, 1, 2, 3]) {
            const before = (yield* info(token)).notificationSettings
            assert.strictEqual((yield* sendJson("PUT", path, token, { [key]: value })).status, 204)
            assert.deepStrictEqual((yield* info(token)).notificationSettings, { ...before, [key]: value })
          }
          for (const value of [4, -1, 1.5, "web", null, true, [1]]) {
            const answer = yield* sendJson("PUT", path, token, { [key]: value })
            assert.strictEqual(answer.status, 400, `${key} ${JSON.stringify(value)}`)
            assert.hasAllKeys(answer.json["invalid-params"], [key])
          }
        }
        for (const body of [{}, { nothing: 1, __proto__: { newFollow: 0 } }]) {
          const answer = yield* sendJson("PUT", path, token, body)
          assert.strictEqual(answer.status, 400)
          assert.hasAllKeys(answer.json["invalid-params"], ["notificationSettings"])
        }
        assert.strictEqual((yield* sendJson("PUT", path, token, { nothing: 1, newFollow: 1 })).status, 204)
        assert.notProperty((yield* info(token)).notificationSettings, "nothing")
      }),
    60_000
  )

  it.effect("notes which features were read of", () =>
    Effect.gen(function* () {
      const path = `${me}/new-feature-info/read`
      const token = yield* newUser("reading")
      assert.strictEqual((yield* info(token)).newFeaturesInfoRead, 0)
      for (const body of [{}, { feature: 2 }, { feature: 0 }, { feature: "one" }, { feature: null }]) {
        const answer = yield* sendJson("POST", path, token, body)
        assert.strictEqual(answer.status, 400)
        assert.hasAllKeys(answer.json["invalid-params"], ["feature"])
      }
      for (let times = 0; times < 2; times++) {
        assert.strictEqual((yield* sendJson("POST", path, token, { feature: 1 })).status, 204)
        assert.strictEqual((yield* info(token)).newFeaturesInfoRead, 1)
      }
    })
  )

  it.effect("sees the channels of others it works on once it accepted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* newUser("host")
      const token = yield* newUser("guest")
      yield* sql`
        insert into video_channel_collaborator (channel_id, account_id, state)
        select c.id, g.id, 1 from video_channel c join account o on o.id = c.account_id join app_user u on u.id = o.user_id,
          account g join app_user v on v.id = g.user_id
        where u.username = 'host' and v.username = 'guest'`
      assert.deepStrictEqual((yield* info(token)).videoChannelCollaborations, [])
      yield* sql`update video_channel_collaborator set state = 2`
      const { account, videoChannelCollaborations } = yield* info(token)
      assert.lengthOf(videoChannelCollaborations, 1)
      const [channel] = videoChannelCollaborations
      assert.strictEqual(channel.name, "host_channel")
      assert.notStrictEqual(channel.ownerAccountId, account.id)
    })
  )

  it.effect("can be deleted by itself, unless it is the first administrator", () =>
    Effect.gen(function* () {
      const root = (yield* login("root", rootPassword)).access_token
      const refused = yield* send(me, { ...bearer(root), method: "DELETE" })
      assert.strictEqual(refused.status, 400, refused.text)
      yield* info(root)
      const token = yield* newUser("leaving")
      assert.strictEqual((yield* send(me, { ...bearer(token), method: "DELETE" })).status, 204)
      assert.strictEqual((yield* send("/api/v1/accounts/leaving")).status, 404)
      assert.strictEqual((yield* send("/api/v1/video-channels/leaving_channel")).status, 404)
      const form = yield* tokenForm({ grant_type: "password", username: "leaving", password })
      assert.strictEqual((yield* postForm(form)).json.code, "invalid_grant")
      const after = yield* send(me, bearer(token)).pipe(
        Effect.repeat({ until: ({ status }) => status === 401, times: 200 })
      )
      assert.strictEqual(after.json.code, "invalid_token")
    })
  )
})
