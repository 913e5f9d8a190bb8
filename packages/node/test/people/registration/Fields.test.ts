import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Answer, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { ask, person, postJson, register, wish } from "./Signup.ts"

const open = testNode({ signup: { enabled: true, requires_approval: false, limit: -1 } })
const wrong = [null, true, 7, [], ["a"], {}, { a: 1 }, "", "\u0000", "\ud800"] as const

const Json = Schema.Union([
  Schema.Null,
  Schema.Boolean,
  Schema.Finite,
  Schema.String,
  Schema.Array(Schema.String),
  Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Null]))
])
const Channel = Schema.Union([Json, Schema.Struct({ name: Json, displayName: Json })])
const AnyBody = Schema.Struct({
  username: Schema.optionalKey(Json),
  password: Schema.optionalKey(Json),
  email: Schema.optionalKey(Json),
  displayName: Schema.optionalKey(Json),
  channel: Schema.optionalKey(Channel),
  registrationReason: Schema.optionalKey(Json)
})

layer(open, { excludeTestServices: true })("Fields of registrations", (it) => {
  const named = (answer: Answer, what: string) => {
    assert.strictEqual(answer.status, 400, `${what}: ${answer.text}`)
    return Object.keys(answer.json["invalid-params"]).toSorted()
  }

  it.effect("are named when their JSON type is wrong", () =>
    Effect.gen(function* () {
      for (const name of ["username", "password", "email", "displayName", "registrationReason"]) {
        for (const value of wrong) {
          const answer = yield* ask(wish("typed", { [name]: value }))
          assert.deepStrictEqual(named(answer, `${name} ${JSON.stringify(value)}`), [name])
        }
      }
      for (const name of ["name", "displayName"]) {
        for (const value of wrong) {
          const channel = { name: "typed.films", displayName: "Films", [name]: value }
          const answer = yield* register(person("typed", { channel }))
          assert.deepStrictEqual(named(answer, `${name} ${JSON.stringify(value)}`), [`channel.${name}`])
        }
      }
      for (const channel of [null, true, 7, "typed.films"]) {
        const answer = yield* register(person("typed", { channel }))
        assert.deepStrictEqual(named(answer, `channel ${JSON.stringify(channel)}`), ["channel"])
      }
      for (const channel of [[], {}]) {
        const answer = yield* register(person("typed", { channel }))
        for (const field of named(answer, "empty channel")) assert.match(field, /^channel/)
      }
    })
  )

  it.effect("are all named in one answer, and no password comes back", () =>
    Effect.gen(function* () {
      const all = [
        "channel.displayName",
        "channel.name",
        "displayName",
        "email",
        "password",
        "registrationReason",
        "username"
      ]
      const bad = {
        username: "Not A Name",
        password: "five5",
        email: "nowhere",
        displayName: "",
        channel: { name: "a b", displayName: "x".repeat(121) },
        registrationReason: "y"
      }
      const answer = yield* ask(bad)
      assert.deepStrictEqual(named(answer, "all"), all)
      assert.notInclude(answer.text, "five5")
      assert.deepStrictEqual(named(yield* ask({}), "none"), ["email", "password", "registrationReason", "username"])
      assert.deepStrictEqual(named(yield* register({}), "none"), ["email", "password", "username"])
    })
  )

  it.effect("refuse look-alikes, what turns text around, and what does not fit", () =>
    Effect.gen(function* () {
      const refused: ReadonlyArray<readonly [string, unknown]> = [
        ["username", "аdmin"], // CYRILLIC SMALL LETTER A
        ["username", "ａdmin"], // FULLWIDTH
        ["username", "Admin"],
        ["username", "admin "],
        ["username", "admin\n"],
        ["username", "a-b"],
        ["username", "x".repeat(51)],
        ["email", "a@b\r\nBcc: c@example.com"],
        ["email", "a@example.com,b@example.com"],
        ["email", "<a@example.com>"],
        ["email", `${"a".repeat(250)}@example.com`],
        ["password", "12345"],
        ["password", "x".repeat(51)],
        ["password", "ä".repeat(37)], // 74 bytes
        ["password", "\u{1f600}".repeat(19)], // 76 bytes
        ["displayName", "ab\u202ecd"],
        ["displayName", "ab\ncd"],
        ["displayName", "   "],
        ["displayName", "x".repeat(121)]
      ]
      for (const [name, value] of refused) {
        const answer = yield* register(person("unseen", { [name]: value }))
        assert.deepStrictEqual(named(answer, `${name} ${JSON.stringify(value)}`), [name])
      }
      for (const name of ["fіlms", "a b", "a/b", "a@b", "x".repeat(51), "films\u200b"]) {
        const answer = yield* register(person("unseen", { channel: { name, displayName: "Films" } }))
        assert.deepStrictEqual(named(answer, name), ["channel.name"])
      }
      const longest = yield* register(person("bytes72", { password: "\u{1f600}".repeat(18) }))
      assert.strictEqual(longest.status, 200, longest.text)
    })
  )

  it.effect("come in bodies that are JSON objects of a bearable size", () =>
    Effect.gen(function* () {
      for (const body of ["null", "[]", "7", '"text"', "true"]) {
        assert.strictEqual((yield* register(body)).status, 400, body)
      }
      const broken = yield* register('{"username":')
      assert.strictEqual(broken.status, 400)
      assert.match(broken.json.type, /SyntaxError$/)
      const wide = yield* register(person("wide", { displayName: "x".repeat(1_000_000) }))
      assert.deepStrictEqual(named(wide, "1 MB"), ["displayName"])
      assert.isBelow(wide.text.length, 1_100_000)
      assert.strictEqual((yield* register(person("huge", { displayName: "x".repeat(1_100_000) }))).status, 413)
      const deep = `{"username":${"[".repeat(50_000)}${"]".repeat(50_000)}}`
      assert.strictEqual((yield* register(deep)).status, 400)
      const plain = yield* postJson("/api/v1/users/register", "x", { "content-type": "text/plain" })
      assert.strictEqual(plain.status, 415)
      const prototype = yield* register('{"__proto__":{"username":"p"},"constructor":1}')
      assert.deepStrictEqual(named(prototype, "prototype"), ["email", "password", "username"])
    })
  )

  it.effect.prop(
    "are never the reason of a 500, as JSON or as a form",
    { body: AnyBody, key: Schema.String, value: Schema.String },
    Effect.fnUntraced(function* ({ body, key, value }) {
      const forms = new URLSearchParams([
        ["username", "prop"],
        [key.toWellFormed(), value.toWellFormed()],
        [`channel[${key.toWellFormed()}]`, value.toWellFormed()]
      ])
      const answers = [
        yield* register(body),
        yield* ask(body),
        yield* register(person("prop", { ...body, username: "PROP" })),
        yield* send("/api/v1/users/register", { method: "POST", body: forms })
      ]
      for (const answer of answers) assert.include([400, 403, 409], answer.status, answer.text)
    }),
    { arbitrary: { runs: 60 }, timeout: 60_000 }
  )

  it.effect("leave nothing behind when they are refused", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql<{ username: string }>`select username::text as username from app_user order by id`
      assert.deepStrictEqual(
        rows.map((row) => row.username),
        ["root", "bytes72"]
      )
      assert.deepStrictEqual(yield* sql`select id from user_registration`, [])
    })
  )
})
