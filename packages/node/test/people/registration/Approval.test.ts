import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, postForm, send, tokenForm } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { ask, decide, list, me, password, person, register, rootToken, tokenOf, wish } from "./Signup.ts"

const withApproval = testNode({ signup: { enabled: true, requires_approval: true, limit: -1 } })

const asked = Effect.fnUntraced(function* (username: string, more = {}) {
  const answer = yield* ask(wish(username, more))
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.id as number
})

const loginType = Effect.fnUntraced(function* (username: string, secret: string) {
  const answer = yield* postForm(yield* tokenForm({ grant_type: "password", username, password: secret }))
  return [answer.status, answer.json.code] as const
})

const one = Effect.fnUntraced(function* (id: number) {
  const { json } = yield* list(yield* rootToken, "?count=100")
  return json.data.find((it: { id: number }) => it.id === id)
})

layer(withApproval, { excludeTestServices: true })("Registrations that moderators decide on", (it) => {
  it.effect("answer with the registration, and nobody can log in yet", () =>
    Effect.gen(function* () {
      const answer = yield* ask(wish("anna", { displayName: "Änna", channel: { name: "annas", displayName: "Films" } }))
      assert.strictEqual(answer.status, 200, answer.text)
      const { createdAt, id, updatedAt, ...rest } = answer.json
      assert.isAbove(id, 0)
      for (const time of [createdAt, updatedAt]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepStrictEqual(rest, {
        state: { id: 1, label: "Pending" },
        registrationReason: "I make films",
        moderationResponse: null,
        username: "anna",
        email: "anna@example.com",
        emailVerified: null,
        accountDisplayName: "Änna",
        channelHandle: "annas",
        channelDisplayName: "Films",
        user: null
      })
      assert.notInclude(answer.text, "scrypt")
      assert.strictEqual((yield* send("/api/v1/accounts/anna")).status, 404)
      assert.strictEqual((yield* loginType("anna", password))[0], 400)
      assert.deepStrictEqual(yield* one(id), answer.json)
    })
  )

  it.effect("are the only way in where they are on", () =>
    Effect.gen(function* () {
      const answer = yield* register(person("hasty"))
      assert.strictEqual(answer.status, 403)
      assert.include(answer.json.detail, "request an account")
      assert.strictEqual((yield* send("/api/v1/accounts/hasty")).status, 404)
    })
  )

  it.effect("become users with the password, names and channel asked for", () =>
    Effect.gen(function* () {
      const channel = { name: "bert_films", displayName: "Films" }
      const id = yield* asked("bert", { displayName: "Bért", channel })
      assert.strictEqual((yield* decide(id, "accept", yield* rootToken)).status, 204)
      const { json } = yield* me(yield* tokenOf("bert", password))
      assert.strictEqual(json.account.displayName, "Bért")
      assert.strictEqual(json.email, "bert@example.com")
      assert.strictEqual(json.videoChannels[0].name, "bert_films")
      const registration = yield* one(id)
      assert.deepInclude(registration, {
        state: { id: 3, label: "Accepted" },
        moderationResponse: "So be it",
        user: { id: json.id }
      })
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select password_hash from user_registration where id = ${id}`, [
        { password_hash: null }
      ])
    })
  )

  it.effect("get the usual names when none were asked for, and tell which they got", () =>
    Effect.gen(function* () {
      const users = yield* Users
      const channelName = "carl_channel"
      yield* users.create({ username: "early", email: "early@example.com", password, role: 2, channelName })
      const id = yield* asked("carl")
      assert.deepInclude(yield* one(id), {
        accountDisplayName: "carl",
        channelHandle: "carl_channel",
        channelDisplayName: "Main carl channel"
      })
      assert.strictEqual((yield* decide(id, "accept", yield* rootToken)).status, 204)
      assert.strictEqual((yield* one(id)).channelHandle, "carl_channel-1")
      assert.strictEqual((yield* me(yield* tokenOf("carl", password))).json.videoChannels[0].name, "carl_channel-1")
    })
  )

  it.effect("hold their names and address while they wait", () =>
    Effect.gen(function* () {
      yield* asked("dora", { channel: { name: "Dora.Films", displayName: "Films" } })
      const refused = [
        wish("dora", { email: "other@example.com" }),
        wish("other1", { email: "DORA@example.com" }),
        wish("other2", { channel: { name: "dora.films", displayName: "Films" } }),
        wish("other3", { channel: { name: "DORA", displayName: "Films" } }),
        wish("dora.films", { email: "other@example.com" }),
        wish("root", { email: "other@example.com" }),
        wish("other4", { email: "admin@example.com" })
      ]
      for (const body of refused) {
        const answer = yield* ask(body)
        assert.strictEqual(answer.status, 409, answer.text)
      }
      const race = ["e1", "e2", "e3"].map((name) => ask(wish("emil", { email: `${name}@example.com` })))
      const statuses = (yield* Effect.all(race, { concurrency: "unbounded" })).map((answer) => answer.status)
      assert.deepStrictEqual(statuses.toSorted(), [200, 409, 409])
    })
  )

  it.effect("are refused with a response, and free their names", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const id = yield* asked("fritz")
      assert.strictEqual((yield* decide(id, "reject", token, { moderationResponse: "Not here" })).status, 204)
      assert.deepInclude(yield* one(id), {
        state: { id: 2, label: "Rejected" },
        moderationResponse: "Not here",
        user: null
      })
      assert.strictEqual((yield* send("/api/v1/accounts/fritz")).status, 404)
      const again = yield* asked("fritz")
      assert.isAbove(again, id)
      assert.strictEqual((yield* decide(again, "accept", token)).status, 204)
      yield* login("fritz", password)
      assert.strictEqual((yield* one(id)).state.id, 2)
    })
  )

  it.effect("are decided once, whoever decides and however often", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const id = yield* asked("gina")
      const racing = Array.from({ length: 4 }, (_, i) => decide(id, i % 2 === 0 ? "accept" : "reject", token))
      const statuses = (yield* Effect.all(racing, { concurrency: "unbounded" })).map((answer) => answer.status)
      assert.deepStrictEqual(statuses.toSorted(), [204, 400, 400, 400])
      for (const how of ["accept", "reject"] as const) {
        const late = yield* decide(id, how, token)
        assert.strictEqual(late.status, 400)
        assert.match(late.json.detail, /accepted already|rejected already/)
      }
      const sql = yield* SqlClient
      const users = yield* sql`select id from app_user where username = 'gina'`
      assert.strictEqual(users.length, (yield* one(id)).state.id === 3 ? 1 : 0)
    })
  )

  it.effect("are accepted side by side, and deleted under a moderator's hands", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const ids: Array<number> = []
      for (const name of ["side1", "side2", "side3", "side4"]) ids.push(yield* asked(name))
      const [gone, ...kept] = ids as [number, ...Array<number>]
      const removal = send(`/api/v1/users/registrations/${gone}`, { method: "DELETE", ...bearer(token) })
      const decisions = ids.map((id) => decide(id, "accept", token))
      const answers = yield* Effect.all([removal, ...decisions], { concurrency: "unbounded" })
      const [removed, first, ...others] = answers.map((answer) => answer.status)
      assert.strictEqual(removed, 204)
      assert.include([204, 404], first)
      assert.deepStrictEqual(others, [204, 204, 204])
      for (const id of kept) assert.strictEqual((yield* one(id)).state.id, 3)
      assert.isUndefined(yield* one(gone))
    })
  )

  it.effect("cannot be accepted when somebody has the names by now", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const id = yield* asked("hans", { channel: { name: "hans.films", displayName: "Films" } })
      const users = yield* Users
      yield* users.create({
        username: "hans",
        email: "hans@example.com",
        password: "password2",
        role: 2,
        channelName: "hans.films"
      })
      const refused = yield* decide(id, "accept", token)
      assert.strictEqual(refused.status, 409)
      for (const what of ["user name hans", "hans@example.com", "channel name hans.films"]) {
        assert.include(refused.json.detail, what)
      }
      assert.strictEqual((yield* one(id)).state.id, 1)
      assert.strictEqual((yield* decide(id, "reject", token)).status, 204)
    })
  )

  it.effect("can be deleted in any state; the user stays", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const pending = yield* asked("ida")
      const accepted = yield* asked("jan")
      const rejected = yield* asked("karl")
      yield* decide(accepted, "accept", token)
      yield* decide(rejected, "reject", token)
      for (const id of [pending, accepted, rejected]) {
        const url = `/api/v1/users/registrations/${id}`
        assert.strictEqual((yield* send(url, { method: "DELETE", ...bearer(token) })).status, 204)
        assert.strictEqual((yield* send(url, { method: "DELETE", ...bearer(token) })).status, 404)
        assert.strictEqual((yield* decide(id, "accept", token)).status, 404)
        assert.strictEqual((yield* decide(id, "reject", token)).status, 404)
      }
      yield* login("jan", password)
      yield* asked("ida")
    })
  )

  it.effect("are for moderators alone", () =>
    Effect.gen(function* () {
      const users = yield* Users
      for (const [username, role] of [
        ["plain", 2],
        ["mod", 1]
      ] as const) {
        yield* users.create({ username, email: `${username}@example.com`, password, role })
      }
      const id = yield* asked("lena")
      const plain = yield* tokenOf("plain", password)
      const url = `/api/v1/users/registrations/${id}`
      for (const [headers, status] of [
        [{}, 401],
        [bearer("x".repeat(40)), 401],
        [bearer(plain), 403]
      ] as const) {
        const init = { ...headers, method: "POST" }
        assert.strictEqual((yield* send("/api/v1/users/registrations", headers)).status, status)
        assert.strictEqual((yield* send(`${url}/accept`, init)).status, status)
        assert.strictEqual((yield* send(`${url}/reject`, init)).status, status)
        assert.strictEqual((yield* send(url, { ...headers, method: "DELETE" })).status, status)
      }
      const moderator = yield* tokenOf("mod", password)
      assert.strictEqual((yield* list(moderator)).status, 200)
      assert.strictEqual((yield* decide(id, "accept", moderator)).status, 204)
    })
  )

  it.effect("refuse decisions that are none", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const id = yield* asked("mia")
      const wrong: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{}, ["moderationResponse"]],
        [{ moderationResponse: "x" }, ["moderationResponse"]],
        [{ moderationResponse: "x".repeat(3001) }, ["moderationResponse"]],
        [{ moderationResponse: 7, preventEmailDelivery: "maybe" }, ["moderationResponse", "preventEmailDelivery"]]
      ]
      for (const how of ["accept", "reject"] as const) {
        for (const [body, named] of wrong) {
          const answer = yield* decide(id, how, token, body as never)
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]).toSorted(), named)
        }
        for (const wrongId of ["0", "-1", "x", "1.5", "2147483648", "1e3"]) {
          const answer = yield* decide(wrongId, how, token)
          assert.strictEqual(answer.status, 400, wrongId)
          assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), ["registrationId"])
        }
        assert.strictEqual((yield* decide(2_147_483_647, how, token)).status, 404)
      }
      assert.strictEqual((yield* one(id)).state.id, 1)
    })
  )
})

layer(withApproval, { excludeTestServices: true })("GET /users/registrations", (it) => {
  it.effect("filters, sorts and pages", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const films = { name: "b_films", displayName: "50% of all" }
      const ids = [
        yield* asked("aa"),
        yield* asked("b_b", { displayName: "Bébé", channel: films }),
        yield* asked("bxb"),
        yield* asked("cc")
      ]
      yield* decide(ids[0]!, "reject", token)
      yield* decide(ids[3]!, "accept", token)
      const names = (query: string) =>
        Effect.map(list(token, query), ({ json, status, text }) => {
          assert.strictEqual(status, 200, text)
          return [json.total, json.data.map((it: { username: string }) => it.username).join()]
        })
      assert.deepStrictEqual(yield* names(""), [4, "cc,bxb,b_b,aa"])
      assert.deepStrictEqual(yield* names("?sort=createdAt"), [4, "aa,b_b,bxb,cc"])
      assert.deepStrictEqual(yield* names("?sort=state"), [4, "b_b,bxb,aa,cc"])
      assert.deepStrictEqual(yield* names("?sort=-state"), [4, "cc,aa,bxb,b_b"])
      assert.deepStrictEqual(yield* names("?stateOneOf=1"), [2, "bxb,b_b"])
      assert.deepStrictEqual(yield* names("?stateOneOf=2&stateOneOf=3"), [2, "cc,aa"])
      assert.deepStrictEqual(yield* names("?stateOneOf[]=1&stateOneOf[]=3"), [3, "cc,bxb,b_b"])
      assert.deepStrictEqual(yield* names("?start=1&count=2"), [4, "bxb,b_b"])
      assert.deepStrictEqual(yield* names("?start=9"), [4, ""])
      assert.deepStrictEqual(yield* names("?count=0"), [4, ""])
      assert.deepStrictEqual(yield* names("?search=b_b"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=BEBE"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=B_FILMS"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=b%EF%BC%BFb"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=50%25"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=%25"), [1, "b_b"])
      assert.deepStrictEqual(yield* names("?search=%5C"), [0, ""])
      assert.deepStrictEqual(yield* names("?search=cc@example.com"), [1, "cc"])
      assert.deepStrictEqual(yield* names("?search="), [4, "cc,bxb,b_b,aa"])
      assert.deepStrictEqual(yield* names("?search=b&stateOneOf=3"), [0, ""])
    })
  )

  it.effect("refuses queries it cannot read, naming what", () =>
    Effect.gen(function* () {
      const token = yield* rootToken
      const wrong = {
        "?start=-1": ["start"],
        "?count=101": ["count"],
        "?sort=username": ["sort"],
        "?sort=createdAt;drop": ["sort"],
        "?stateOneOf=4": ["stateOneOf"],
        "?stateOneOf=1&stateOneOf=x&count=x": ["count", "stateOneOf"],
        [`?search=${"x".repeat(501)}`]: ["search"],
        "?search=%00": ["search"]
      }
      for (const [query, named] of Object.entries(wrong)) {
        const answer = yield* list(token, query)
        assert.strictEqual(answer.status, 400, query)
        assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]).toSorted(), named)
      }
    })
  )
})
