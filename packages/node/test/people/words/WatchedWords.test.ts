import { assert, layer } from "@effect/vitest"
import { CreatedWatchedWordsList, WatchedWordsListPage } from "@kinora/domain/wire/WatchedWords"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ask, crewNode, type Member, refused } from "../channel/Crew.ts"

const page = Schema.decodeUnknownEffect(WatchedWordsListPage)
const created = Schema.decodeUnknownEffect(CreatedWatchedWordsList)

const mine = "/watched-words/accounts/owner/lists"
const ours = "/watched-words/server/lists"

const listsOf = (who: Member, path: string) =>
  Effect.flatMap(ask(who, "GET", path), ({ json, status }) => {
    assert.strictEqual(status, 200)
    return page(json)
  })

const add = Effect.fnUntraced(function* (who: Member, path: string, listName: string, words: ReadonlyArray<string>) {
  const answer = yield* ask(who, "POST", path, { listName, words })
  assert.strictEqual(answer.status, 200, answer.text)
  return (yield* created(answer.json)).watchedWordsList.id
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Lists of watched words", (it) => {
  it.effect("are written, read, changed and deleted", () =>
    Effect.gen(function* () {
      for (const [who, path] of [
        ["owner", mine],
        ["moderator", ours]
      ] as const) {
        const first = yield* add(who, path, "Rude", ["idiot", "Idiot", "idiot", "café au lait"])
        const second = yield* add(who, path, "Adverts", ["buy now"])
        const all = yield* listsOf(who, path)
        assert.strictEqual(all.total, 2)
        assert.deepStrictEqual(
          all.data.map(({ id, listName, subscriptionUrl, words }) => [id, listName, words, subscriptionUrl]),
          [
            [second, "Adverts", ["buy now"], null],
            [first, "Rude", ["idiot", "Idiot", "café au lait"], null]
          ]
        )
        const byName = yield* listsOf(who, `${path}?sort=-listName&count=1&start=1`)
        assert.deepStrictEqual([byName.total, byName.data.map(({ id }) => id)], [2, [second]])

        assert.strictEqual((yield* ask(who, "PUT", `${path}/${first}`, { words: ["fool"] })).status, 204)
        assert.strictEqual((yield* ask(who, "PUT", `${path}/${second}`, { listName: "Spam" })).status, 204)
        assert.strictEqual((yield* ask(who, "PUT", `${path}/${second}`, {})).status, 204)
        const changed = yield* listsOf(who, `${path}?sort=createdAt`)
        assert.deepStrictEqual(
          changed.data.map(({ listName, words }) => [listName, words]),
          [
            ["Rude", ["fool"]],
            ["Spam", ["buy now"]]
          ]
        )
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/${first}`)).status, 204)
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/${first}`)).status, 404)
        assert.strictEqual((yield* ask(who, "PUT", `${path}/${first}`, { words: ["fool"] })).status, 404)
        assert.deepStrictEqual(
          (yield* listsOf(who, path)).data.map(({ id }) => id),
          [second]
        )
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/${second}`)).status, 204)
      }
    })
  )

  it.effect("have names that are theirs alone, and none that a tag of the program has", () =>
    Effect.gen(function* () {
      const id = yield* add("owner", mine, "One", ["word"])
      const other = yield* add("owner", mine, "Other", ["word"])
      assert.strictEqual((yield* ask("owner", "POST", mine, { listName: "ONE", words: ["x"] })).status, 409)
      assert.strictEqual((yield* ask("owner", "PUT", `${mine}/${other}`, { listName: "one" })).status, 409)
      assert.strictEqual((yield* ask("owner", "PUT", `${mine}/${id}`, { listName: "one" })).status, 204)
      // Those of others are others.
      yield* ask("moderator", "DELETE", `${ours}/${yield* add("moderator", ours, "One", ["word"])}`)
      for (const list of [id, other]) yield* ask("owner", "DELETE", `${mine}/${list}`)
    })
  )

  it.effect("refuse what cannot be a list", () =>
    Effect.gen(function* () {
      const words = ["word"]
      for (const listName of [
        undefined,
        "",
        "   ",
        "x".repeat(101),
        7,
        null,
        ["a", "b"],
        "External-Link",
        "a\u0000b"
      ]) {
        assert.deepStrictEqual(
          refused(yield* ask("owner", "POST", mine, { listName, words })),
          ["listName"],
          `${listName}`
        )
      }
      for (const given of [
        undefined,
        [],
        [""],
        ["x".repeat(101)],
        [7],
        [null],
        [["a"]],
        ["\u0301"],
        ["ok", "\u200b"],
        "a\u0000b",
        Array.from({ length: 501 }, (_, n) => `word${n}`)
      ]) {
        const answer = yield* ask("owner", "POST", mine, { listName: "List", words: given })
        assert.deepStrictEqual(refused(answer), ["words"], JSON.stringify(given)?.slice(0, 50))
      }
      assert.deepStrictEqual(refused(yield* ask("owner", "POST", mine, {})), ["listName", "words"])
      const id = yield* add(
        "owner",
        mine,
        "x".repeat(100),
        Array.from({ length: 500 }, (_, n) => `${n}`.padStart(100, "x"))
      )
      assert.deepStrictEqual(refused(yield* ask("owner", "PUT", `${mine}/${id}`, { words: [] })), ["words"])
      assert.strictEqual((yield* ask("owner", "DELETE", `${mine}/${id}`)).status, 204)
      for (const bad of ["0", "x", "99999999999"]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "DELETE", `${mine}/${bad}`)), ["listId"])
      }
      assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${mine}?sort=words&count=101&start=-1`)), [
        "count",
        "sort",
        "start"
      ])
    })
  )

  it.effect("are bounded together", () =>
    Effect.gen(function* () {
      const many = (n: number) => Array.from({ length: 500 }, (_, k) => `${n} ${k}`.padEnd(100, "x"))
      for (let n = 0; n < 10; n++) yield* add("helper", "/watched-words/accounts/helper/lists", `List ${n}`, many(n))
      const answer = yield* ask("helper", "POST", "/watched-words/accounts/helper/lists", {
        listName: "x",
        words: many(11)
      })
      assert.strictEqual(answer.status, 409)
      assert.include(answer.text, "letters")
      assert.strictEqual((yield* listsOf("helper", "/watched-words/accounts/helper/lists")).total, 10)
    })
  )

  it.effect("are for their owner alone, and those of the instance for moderators", () =>
    Effect.gen(function* () {
      const id = yield* add("owner", mine, "Private", ["secret"])
      const requests = (path: string) =>
        [
          ["GET", path],
          ["POST", path],
          ["PUT", `${path}/${id}`],
          ["DELETE", `${path}/${id}`],
          ["GET", path.replace("/lists", "/subscriptions")],
          ["POST", path.replace("/lists", "/subscriptions")],
          ["DELETE", path.replace("/lists", "/subscriptions/1")]
        ] as const
      const body = { listName: "x", words: ["x"], url: "https://lists.example/words.json" }
      for (const [method, path] of [...requests(mine), ...requests(ours)]) {
        const given = method === "POST" || method === "PUT" ? body : undefined
        assert.strictEqual((yield* ask("anonymous", method, path, given)).status, 401, `${method} ${path}`)
        assert.strictEqual((yield* ask("stranger", method, path, given)).status, 403, `${method} ${path}`)
      }
      for (const who of ["moderator", "administrator"] as const) {
        for (const [method, path] of requests(mine)) {
          const given = method === "POST" || method === "PUT" ? body : undefined
          assert.strictEqual((yield* ask(who, method, path, given)).status, 403, `${who} ${method} ${path}`)
        }
      }
      // A list of somebody else is none of one's own.
      for (const path of ["/watched-words/accounts/stranger/lists"]) {
        assert.strictEqual((yield* ask("stranger", "PUT", `${path}/${id}`, body)).status, 404)
        assert.strictEqual((yield* ask("stranger", "DELETE", `${path}/${id}`)).status, 404)
      }
      assert.strictEqual((yield* ask("moderator", "DELETE", `${ours}/${id}`)).status, 404)
      assert.strictEqual((yield* ask("owner", "GET", "/watched-words/accounts/nobody_here/lists")).status, 404)
      assert.strictEqual(
        (yield* ask("owner", "GET", "/watched-words/accounts/owner@elsewhere.example/lists")).status,
        404
      )
      assert.strictEqual((yield* ask("owner", "DELETE", `${mine}/${id}`)).status, 204)
    })
  )

  it.effect("of the instance leave entries in the audit log", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from audit_entry`
      const id = yield* add("moderator", ours, "Watched", ["one"])
      yield* ask("moderator", "PUT", `${ours}/${id}`, { words: ["two"] })
      // What changes nothing has nothing matched again, and no entry.
      const jobs = sql`select 1 from job where type = 'automatic-tags'`
      const before = (yield* jobs).length
      yield* ask("moderator", "PUT", `${ours}/${id}`, {})
      yield* ask("moderator", "PUT", `${ours}/${id}`, { listName: "Watched", words: ["two", "two"] })
      assert.strictEqual((yield* jobs).length, before)
      yield* ask("moderator", "DELETE", `${ours}/${id}`)
      yield* ask("owner", "DELETE", `${mine}/${yield* add("owner", mine, "Own", ["one"])}`)
      const entries = yield* sql`select username, domain, action, target, before, after from audit_entry order by id`
      const entry = { username: "moderator", domain: "watched-words", target: { listId: id } }
      const one = { listName: "Watched", words: ["one"] }
      const two = { listName: "Watched", words: ["two"] }
      assert.deepStrictEqual(entries, [
        { ...entry, action: "create", before: null, after: one },
        { ...entry, action: "update", before: one, after: two },
        { ...entry, action: "delete", before: two, after: null }
      ])
    })
  )
})
