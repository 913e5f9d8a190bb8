import { assert, layer } from "@effect/vitest"
import { AbuseMessages } from "@kinora/domain/wire/Abuse"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { ask } from "../comment/Talk.ts"
import { abuses, accountOf, idsOf, messages, myAbuses, noReports, report, write } from "./AbuseClient.ts"

const areMessages = Schema.decodeUnknownSync(AbuseMessages)

const node = People.layer.pipe(
  Layer.provideMerge(
    testNode({
      rates_limit: { report_abuse: { max: 3, window: "1 hour" }, abuse_message: { max: 4, window: "1 hour" } }
    })
  )
)

/** A user of their own: limits count by user. */
const enrol = Effect.fn("enrol")(function* (username: string, role: 0 | 1 | 2 = 2) {
  yield* (yield* Users).create({ username, email: `${username}@example.com`, password: "password1", role })
  return (yield* login(username, "password1")).access_token
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("moderators", (it) => {
  it.effect("decide on reports, note what they think, and delete them", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const sql = yield* SqlClient
      const { uuid } = yield* addVideo({ owner: "owner" })
      const id = yield* report(other, { video: { id: uuid } })
      const put = (token: string, body?: object, abuse: number = id) => ask("PUT", `/abuses/${abuse}`, token, body)
      const now = Effect.map(abuses(moderator, `?id=${id}`), ({ data: [it] }) => [it.state.label, it.moderationComment])
      const processed = Effect.map(
        sql<{ at: Date | null }>`select processed_at as at from abuse where id = ${id}`,
        ([row]) => row!.at?.getTime()
      )

      assert.isUndefined(yield* processed)
      const first = (yield* abuses(moderator)).data[0]
      assert.strictEqual((yield* put(moderator, { state: 3 })).status, 204)
      assert.deepStrictEqual(yield* now, ["Accepted", undefined])
      const decided = yield* processed
      assert.isNumber(decided)
      assert.strictEqual((yield* put(moderator, { moderationComment: "Seen this before" })).status, 204)
      assert.deepStrictEqual(yield* now, ["Accepted", "Seen this before"])
      assert.strictEqual((yield* put(moderator, { state: 2, moderationComment: "Or not" })).status, 204)
      assert.deepStrictEqual(yield* now, ["Rejected", "Or not"])
      assert.strictEqual((yield* put(moderator, { moderationComment: null })).status, 204)
      assert.deepStrictEqual(yield* now, ["Rejected", undefined])
      assert.strictEqual((yield* put(moderator, { state: 1 })).status, 204)
      assert.strictEqual(yield* processed, decided, "when it was first decided")
      assert.strictEqual((yield* put(moderator)).status, 204)
      assert.isAbove(Date.parse((yield* abuses(moderator)).data[0].updatedAt), Date.parse(first.updatedAt))
      assert.deepStrictEqual((yield* myAbuses(other)).data[0].state, { id: 1, label: "Pending" })

      for (const [body, field] of [
        [{ state: 4 }, "state"],
        [{ state: "accepted" }, "state"],
        [{ moderationComment: "x" }, "moderationComment"],
        [{ moderationComment: "x".repeat(3001) }, "moderationComment"]
      ] as const) {
        const refused = yield* put(moderator, body)
        assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [400, [field]])
      }
      for (const token of [other, owner]) {
        assert.strictEqual((yield* put(token, { state: 3 })).status, 403)
        assert.strictEqual((yield* ask("DELETE", `/abuses/${id}`, token)).status, 403)
        assert.strictEqual((yield* ask("GET", "/abuses", token)).status, 403)
      }
      assert.strictEqual((yield* put(moderator, { state: 3 }, 2_000_000_000)).status, 404)
      assert.strictEqual((yield* ask("DELETE", "/abuses/2000000000", moderator)).status, 404)
      assert.strictEqual((yield* ask("DELETE", "/abuses/x", moderator)).status, 400)
      assert.deepStrictEqual(yield* now, ["Pending", undefined])

      yield* write(other, id, "Well?")
      assert.strictEqual((yield* ask("DELETE", `/abuses/${id}`, moderator)).status, 204)
      assert.deepStrictEqual([(yield* abuses(moderator)).total, (yield* myAbuses(other)).total], [0, 0])
      assert.deepStrictEqual(yield* sql`select 1 from abuse_message`, [])
    })
  )

  it.effect("talk with who reported, and nobody else listens", () =>
    Effect.gen(function* () {
      const { administrator, moderator, owner } = yield* People
      const talker = yield* enrol("talker")
      const { uuid } = yield* addVideo({ owner: "owner" })
      const id = yield* report(talker, { video: { id: uuid } })
      const asked = yield* write(talker, id, "Please look at minute **two**")
      const answered = yield* write(moderator, id, "We will")
      const list = yield* messages(talker, id)
      areMessages(list)
      assert.deepStrictEqual(
        list.data.map((it) => [it.id, it.message, it.byModerator, it.account.name]),
        [
          [asked, "Please look at minute **two**", false, "talker"],
          [answered, "We will", true, "moderator"]
        ]
      )
      assert.deepStrictEqual(yield* messages(administrator, id), list)
      assert.strictEqual((yield* abuses(moderator)).data[0].countMessages, 2)
      assert.strictEqual((yield* myAbuses(talker)).data[0].countMessages, 2)

      // For others, the owner of the video among them, there is no such report.
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["POST", "", { message: "Let me in" }],
        ["DELETE", `/${asked}`, undefined]
      ] as const) {
        assert.strictEqual((yield* ask(method, `/abuses/${id}/messages${path}`, owner, body)).status, 404, method)
        assert.strictEqual((yield* ask(method, `/abuses/${id}/messages${path}`, undefined, body)).status, 401, method)
        assert.strictEqual(
          (yield* ask(method, `/abuses/2000000000/messages${path}`, moderator, body)).status,
          404,
          method
        )
      }
      for (const message of ["x", "  ", "x".repeat(3001), 3, undefined]) {
        const refused = yield* ask("POST", `/abuses/${id}/messages`, talker, { message })
        assert.deepStrictEqual([refused.status, Object.keys(refused.json["invalid-params"])], [400, ["message"]])
      }

      const drop = (token: string, message: number, abuse = id) =>
        Effect.map(ask("DELETE", `/abuses/${abuse}/messages/${message}`, token), ({ status }) => status)
      assert.strictEqual(yield* drop(talker, answered), 403)
      assert.strictEqual(yield* drop(talker, 2_000_000_000), 404)
      const another = yield* report(talker, { video: { id: uuid } })
      assert.strictEqual(yield* drop(talker, asked, another), 404, "of another report")
      const slip = yield* write(talker, id, "A slip")
      assert.strictEqual(yield* drop(talker, slip), 204)
      assert.strictEqual(yield* drop(administrator, answered), 204)
      assert.strictEqual(yield* drop(moderator, asked), 204)
      assert.strictEqual(yield* drop(moderator, asked), 404)
      assert.deepStrictEqual((yield* messages(talker, id)).total, 0)
      // A moderator who reports is a reporter there.
      const own = yield* report(moderator, { video: { id: uuid } })
      yield* write(moderator, own, "Who takes this?")
      assert.strictEqual((yield* messages(administrator, own)).data[0].byModerator, false)
      yield* noReports
    })
  )

  it.effect("are asked no more than can be read", () =>
    Effect.gen(function* () {
      const { moderator } = yield* People
      const sql = yield* SqlClient
      const eager = yield* enrol("eager")
      const { uuid } = yield* addVideo({ owner: "owner" })
      const post = (token: string) => ask("POST", "/abuses", token, { reason: "Again", video: { id: uuid } })
      assert.strictEqual(
        (yield* ask("POST", "/abuses", eager, { reason: "No", video: { id: 2_000_000_000 } })).status,
        404
      )
      const ids = [yield* report(eager, { video: { id: uuid } }), yield* report(eager, { video: { id: uuid } })]
      assert.strictEqual((yield* post(eager)).status, 200, "what was refused is not counted")
      const refused = yield* post(eager)
      assert.deepStrictEqual([refused.status, refused.headers.has("retry-after")], [429, true])
      for (let n = 0; n < 5; n++) assert.strictEqual((yield* post(moderator)).status, 200)

      for (let n = 0; n < 4; n++) yield* write(eager, ids[0]!, `Number ${n}`)
      assert.strictEqual((yield* ask("POST", `/abuses/${ids[1]}/messages`, eager, { message: "More" })).status, 429)
      yield* sql`
        insert into abuse_message (abuse_id, by_moderator, message) select ${ids[1]!}, true, 'm' from generate_series(1, 199)`
      yield* write(moderator, ids[1]!, "The last one")
      const full = yield* ask("POST", `/abuses/${ids[1]}/messages`, moderator, { message: "One more" })
      assert.strictEqual(full.status, 400)
      assert.include(full.json.detail, "at most 200 messages")
      assert.strictEqual((yield* messages(eager, ids[1]!)).data.length, 200)

      // Whoever reported from elsewhere cannot be written to.
      yield* sql`update abuse set reporter_account_id = null, url = 'https://far.example/1' where id = ${ids[0]!}`
      const nobody = yield* ask("POST", `/abuses/${ids[0]}/messages`, moderator, { message: "Hello?" })
      assert.strictEqual(nobody.status, 400)
      assert.include(nobody.json.detail, "not a user of this instance")
      yield* noReports
    })
  )

  it.effect("do not see who reported them", () =>
    Effect.gen(function* () {
      const { administrator, moderator } = yield* People
      const accused = yield* enrol("accused", 1)
      const brave = yield* enrol("brave")
      const id = yield* report(brave, { account: { id: yield* accountOf("accused") } })
      const shown = yield* report(brave, { account: { id: yield* accountOf("other") } })
      yield* write(brave, id, "It was them")
      assert.deepStrictEqual(idsOf(yield* abuses(accused)), [shown])
      assert.deepStrictEqual(idsOf(yield* abuses(accused, `?id=${id}`)), [])
      for (const [method, path, body] of [
        ["PUT", "", { state: 2 }],
        ["DELETE", "", undefined],
        ["GET", "/messages", undefined],
        ["POST", "/messages", { message: "It was not me" }]
      ] as const) {
        assert.strictEqual((yield* ask(method, `/abuses/${id}${path}`, accused, body)).status, 404, `${method}${path}`)
      }
      for (const token of [moderator, administrator]) assert.deepStrictEqual(idsOf(yield* abuses(token)), [shown, id])
      assert.strictEqual((yield* ask("PUT", `/abuses/${id}`, moderator, { state: 3 })).status, 204)

      // An administrator, of whom there may be one alone, sees all.
      const ofRoot = yield* report(brave, { account: { id: yield* accountOf("root") } })
      assert.deepStrictEqual(idsOf(yield* abuses(administrator)), [ofRoot, shown, id])
      const answer = yield* send("/api/v1/abuses?count=1", bearer(administrator))
      assert.strictEqual(answer.json.data[0].reporterAccount.name, "brave")
      yield* noReports
    })
  )
})
