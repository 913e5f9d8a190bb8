import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { ask, list, me, password, person, register, rootToken, tokenOf, wish } from "./Signup.ts"

const open = testNode({ signup: { enabled: true, requires_approval: false, limit: -1 } })

layer(open, { excludeTestServices: true })("POST /users/register", (it) => {
  it.effect("makes a user who can log in, with account and channel", () =>
    Effect.gen(function* () {
      const answer = yield* register(person("anna"))
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(answer.json, { state: { id: 3, label: "Accepted" } })
      const { json } = yield* me(yield* tokenOf("anna", password))
      assert.deepInclude(json, { username: "anna", email: "anna@example.com", emailVerified: null })
      assert.deepInclude(json.role, { id: 2 })
      assert.strictEqual(json.account.displayName, "anna")
      assert.deepStrictEqual(
        json.videoChannels.map((channel: { name: string; displayName: string }) => [channel.name, channel.displayName]),
        [["anna_channel", "Main anna channel"]]
      )
      assert.strictEqual((yield* list(yield* rootToken)).json.total, 0)
    })
  )

  it.effect("gives the names that were asked for", () =>
    Effect.gen(function* () {
      const answer = yield* register(
        person("bert", { displayName: " Bért ", channel: { name: "Bert-Films", displayName: "映画" } })
      )
      assert.strictEqual(answer.status, 200, answer.text)
      const { json } = yield* me(yield* tokenOf("bert", password))
      assert.strictEqual(json.account.displayName, "Bért")
      assert.strictEqual(json.videoChannels[0].name, "Bert-Films")
      assert.strictEqual(json.videoChannels[0].displayName, "映画")
      assert.strictEqual((yield* send("/api/v1/video-channels/bert-films")).json.name, "Bert-Films")
    })
  )

  it.effect("reads forms, with the channel in brackets", () =>
    Effect.gen(function* () {
      const body = new URLSearchParams({
        username: "form",
        email: "form@example.com",
        password,
        "channel[name]": "form.films",
        "channel[displayName]": "Films"
      })
      const answer = yield* send("/api/v1/users/register", { method: "POST", body })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.strictEqual((yield* me(yield* tokenOf("form", password))).json.videoChannels[0].name, "form.films")
      const halves = new URLSearchParams({ username: "x", email: "x@example.com", password, "channel[name]": "half" })
      const refused = yield* send("/api/v1/users/register", { method: "POST", body: halves })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(refused.json["invalid-params"]), ["channel.displayName"])
    })
  )

  it.effect("ignores fields it does not know: nobody registers as administrator", () =>
    Effect.gen(function* () {
      const more = { role: 0, videoQuota: -1, adminFlags: 1, emailVerified: true, id: 1, byModerator: true }
      assert.strictEqual((yield* register(person("greedy", more))).status, 200)
      const { json } = yield* me(yield* tokenOf("greedy", password))
      assert.strictEqual(json.role.id, 2)
      assert.strictEqual(json.adminFlags, 0)
      assert.strictEqual(json.emailVerified, null)
    })
  )

  it.effect("refuses what somebody has, whatever the case, naming all of it", () =>
    Effect.gen(function* () {
      yield* register(person("owner", { channel: { name: "Owner.Films", displayName: "Films" } }))
      const refused: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [person("owner", { email: "new@example.com" }), ["owner"]],
        [person("new1", { email: "OWNER@Example.com" }), ["OWNER@Example.com"]],
        [person("new2", { channel: { name: "oWNER.fILMS", displayName: "Films" } }), ["oWNER.fILMS"]],
        [person("new3", { channel: { name: "OWNER", displayName: "Films" } }), ["OWNER"]],
        [person("owner.films", { email: "new@example.com" }), ["owner.films"]],
        [person("owner", { channel: { name: "owner.films", displayName: "Films" } }), ["owner,", "@", "owner.films"]],
        [person("peertube"), ["peertube"]],
        [person("kinora"), ["kinora"]],
        [person("..", { email: "dots@example.com" }), [".."]],
        [person("new4", { channel: { name: ".", displayName: "Films" } }), ["."]]
      ]
      const sql = yield* SqlClient
      const before = yield* sql`select id from app_user`
      for (const [body, named] of refused) {
        const answer = yield* register(body)
        assert.strictEqual(answer.status, 409, answer.text)
        for (const name of named) assert.include(answer.json.detail, name)
      }
      assert.deepStrictEqual(yield* sql`select id from app_user`, before)
    })
  )

  it.effect("refuses a channel named like its user", () =>
    Effect.gen(function* () {
      const answer = yield* register(person("twin", { channel: { name: "TWIN", displayName: "Films" } }))
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), ["channel.name"])
    })
  )

  it.effect("gives a name once when many ask for it at the same time", () =>
    Effect.gen(function* () {
      const asked = ["race", "race", "race"].map((username, i) =>
        register(person(username, { email: `r${i}@example.com` }))
      )
      const channel = { name: "race.films", displayName: "Films" }
      const others = ["one", "two", "race.films"].map((username) =>
        register(person(username, username.includes(".") ? {} : { channel }))
      )
      const statuses = (yield* Effect.all(asked, { concurrency: "unbounded" })).map((answer) => answer.status)
      assert.deepStrictEqual(statuses.toSorted(), [200, 409, 409])
      const more = (yield* Effect.all(others, { concurrency: "unbounded" })).map((answer) => answer.status)
      assert.deepStrictEqual(more.toSorted(), [200, 409, 409])
      const email = "shared@example.com"
      const mails = ["m1", "m2", "m3"].map((username) => register(person(username, { email })))
      const last = (yield* Effect.all(mails, { concurrency: "unbounded" })).map((answer) => answer.status)
      assert.deepStrictEqual(last.toSorted(), [200, 409, 409])
    })
  )

  it.effect("sends people elsewhere who ask for approval", () =>
    Effect.gen(function* () {
      const answer = yield* ask(wish("asker"))
      assert.strictEqual(answer.status, 400)
      assert.include(answer.json.detail, "register directly")
    })
  )
})
