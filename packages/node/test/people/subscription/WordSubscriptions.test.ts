import { assert, layer } from "@effect/vitest"
import { WatchedWordsSubscription, WatchedWordsSubscriptionList } from "@kinora/domain/wire/WatchedWords"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { subscriptionWorker } from "../../../src/people/subscription/SubscriptionTasks.ts"
import { SubscriptionWorker } from "../../../src/people/subscription/SubscriptionWorker.ts"
import { ask, crewNode, type Member, refused } from "../channel/Crew.ts"
import { ListServer } from "./ListServer.ts"

const one = Schema.decodeUnknownEffect(WatchedWordsSubscription)
const page = Schema.decodeUnknownEffect(WatchedWordsSubscriptionList)

const mine = "/watched-words/accounts/owner"
const ours = "/watched-words/server"

const subscribe = Effect.fnUntraced(function* (who: Member, path: string, url: string) {
  const answer = yield* ask(who, "POST", `${path}/subscriptions`, { url })
  assert.strictEqual(answer.status, 200, answer.text)
  return yield* one(answer.json)
})

const subscriptions = Effect.fnUntraced(function* (who: Member, path: string, query = "") {
  const answer = yield* ask(who, "GET", `${path}/subscriptions${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return (yield* page(answer.json)).data
})

const lists = Effect.fnUntraced(function* (who: Member, path: string) {
  const { json } = yield* ask(who, "GET", `${path}/lists?sort=createdAt`)
  type Lists = ReadonlyArray<{
    id: number
    listName: string
    words: ReadonlyArray<string>
    subscriptionUrl: string | null
  }>
  return json.data as Lists
})

const remove = Effect.fnUntraced(function* (who: Member, path: string, id: number) {
  assert.strictEqual((yield* ask(who, "DELETE", `${path}/subscriptions/${id}`)).status, 204)
})

/** Fetches everything that is due. */
const fetchAll = Effect.gen(function* () {
  const worker = yield* SubscriptionWorker
  while (yield* worker.once);
})

/** As if the time of the next fetch had come. */
const fetchAgain = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`update job set state = 'waiting', run_at = now() where type = 'list-subscription' and state = 'delayed'`
  yield* fetchAll
})

/** Seconds until the next fetch is due. */
const untilNext = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ seconds: number }>`
    select extract(epoch from run_at - now())::integer as seconds from job where type = 'list-subscription' and state = 'delayed'`
  return rows.map(({ seconds }) => seconds)
})

const node = subscriptionWorker.pipe(Layer.provideMerge(crewNode()), Layer.provideMerge(ListServer.layer))

layer(node, { excludeTestServices: true, timeout: 60_000 })("Subscriptions to watched words", (it) => {
  it.effect("bring a list with the words of others, and take it along when they end", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      for (const [who, path] of [
        ["owner", mine],
        ["moderator", ours]
      ] as const) {
        const url = server.url("/words.json")
        server.publish("/words.json", {
          name: "  Rude\u202e words ",
          words: ["idiot", "fool", "idiot", 7, "", "x".repeat(101)]
        })
        const made = yield* subscribe(who, path, url)
        assert.deepInclude(made, {
          ...{ url, name: server.host, importedWordsCount: 0, lastSyncAt: null, lastError: null },
          state: { id: 1, label: "Waiting first run" }
        })
        assert.deepStrictEqual(yield* lists(who, path), [])
        assert.strictEqual((yield* ask(who, "POST", `${path}/subscriptions`, { url: `${url}#part` })).status, 409)
        yield* fetchAll
        const [fetched] = yield* subscriptions(who, path)
        assert.deepInclude(fetched!, {
          ...{ id: made.id, name: "Rude words", importedWordsCount: 2, lastError: null },
          state: { id: 3, label: "Synchronized" }
        })
        assert.isString(fetched!.lastSyncAt)
        const [list] = yield* lists(who, path)
        assert.deepInclude(list!, { listName: "Rude words", words: ["idiot", "fool"], subscriptionUrl: url })
        const [next] = yield* untilNext
        assert.isAbove(next!, 3_000)
        assert.isBelow(next!, 4_200)

        // They are their publisher's to change.
        for (const [method, body] of [
          ["PUT", { words: ["x"] }],
          ["DELETE", undefined]
        ] as const) {
          assert.strictEqual((yield* ask(who, method, `${path}/lists/${list!.id}`, body)).status, 409, method)
        }

        // The list keeps the name that policies know it by.
        server.publish("/words.json", { listName: "Other", words: ["dolt"] })
        yield* fetchAgain
        assert.deepInclude((yield* lists(who, path))[0]!, { id: list!.id, listName: "Rude words", words: ["dolt"] })
        assert.deepInclude((yield* subscriptions(who, path, "?search=OTHER&sort=-lastSyncAt"))[0]!, { name: "Other" })
        assert.deepStrictEqual(yield* subscriptions(who, path, "?search=nothing"), [])

        yield* remove(who, path, made.id)
        assert.deepStrictEqual(yield* lists(who, path), [])
        assert.deepStrictEqual(yield* subscriptions(who, path), [])
        assert.deepStrictEqual(yield* untilNext, [])
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/subscriptions/${made.id}`)).status, 404)
      }
    })
  )

  it.effect("stand beside lists of the same name, and policies end with them", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      server.publish("/a.json", { name: "Same", words: ["one"] })
      server.publish("/b.json", {
        watchedWordLists: [{ listName: "x", words: ["two"] }, { words: ["three"] }],
        name: "SAME"
      })
      server.publish("/c.json", { name: "external-link", words: ["four"] })
      yield* ask("owner", "POST", `${mine}/lists`, { listName: "Same", words: ["zero"] })
      const made = []
      for (const path of ["/a.json", "/b.json", "/c.json"]) made.push(yield* subscribe("owner", mine, server.url(path)))
      yield* fetchAll
      assert.deepStrictEqual(
        (yield* lists("owner", mine)).map(({ listName, words }) => [listName, words]),
        [
          ["Same", ["zero"]],
          ["Same (2)", ["one"]],
          ["SAME (3)", ["two", "three"]],
          ["external-link (2)", ["four"]]
        ]
      )
      const policy = "/automatic-tags/policies/accounts/owner/comments"
      yield* ask("owner", "PUT", policy, { review: ["Same", "Same (2)"] })
      for (const { id } of made) yield* remove("owner", mine, id)
      assert.deepStrictEqual((yield* ask("owner", "GET", policy)).json, { review: ["Same"] })
    })
  )

  it.effect("are not sent again what they have", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      const first = server.tag("/tagged.json", '"one"', { words: ["one"] })
      const { id } = yield* subscribe("owner", mine, server.url("/tagged.json"))
      yield* fetchAll
      const wordsOf = Effect.map(lists("owner", mine), (all) => all.at(-1)!.words)
      for (let n = 0; n < 2; n++) yield* fetchAgain
      assert.strictEqual(server.asked("/tagged.json").length, 3)
      assert.strictEqual(first.sent, 1)
      assert.deepInclude((yield* subscriptions("owner", mine))[0]!, {
        ...{ importedWordsCount: 1, lastError: null },
        state: { id: 3, label: "Synchronized" }
      })
      assert.deepStrictEqual(yield* wordsOf, ["one"])

      // A failure in between changes nothing.
      server.answer("/tagged.json", (_, response) => response.writeHead(500).end())
      yield* fetchAgain
      const again = server.tag("/tagged.json", '"one"', { words: ["one"] })
      yield* fetchAgain
      assert.strictEqual(again.sent, 0)
      assert.strictEqual((yield* subscriptions("owner", mine))[0]!.lastError, null)

      const second = server.tag("/tagged.json", 'W/"two"', { words: ["two"] })
      for (let n = 0; n < 2; n++) yield* fetchAgain
      assert.strictEqual(second.sent, 1)
      assert.deepStrictEqual(yield* wordsOf, ["two"])

      // One that says so without having been asked answers nothing; neither is any header sent back that is no entity tag.
      const odd = server.tag("/tagged.json", "x".repeat(300), { words: ["three"] })
      for (let n = 0; n < 2; n++) yield* fetchAgain
      assert.strictEqual(odd.sent, 2)
      server.answer("/tagged.json", (_, response) => response.writeHead(304).end())
      yield* fetchAgain
      assert.match((yield* subscriptions("owner", mine))[0]!.lastError ?? "", /status 304/)
      yield* remove("owner", mine, id)
    })
  )

  it.effect("say what is wrong with a list, keep its words, and ask less and less often", () =>
    Effect.gen(function* () {
      const server = yield* ListServer
      server.publish("/w.json", { words: ["kept"] })
      const { id } = yield* subscribe("owner", mine, server.url("/w.json"))
      yield* fetchAll
      const faults: ReadonlyArray<readonly [what: Parameters<typeof server.answer>[1], error: RegExp]> = [
        [(_, response) => response.writeHead(503).end(), /status 503/],
        [(_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"), /not served as JSON/],
        [(_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{"), /no JSON/],
        [
          (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("[]"),
          /no list of words/
        ],
        [(_, response) => response.writeHead(302, { location: "http://10.0.0.1/w.json" }).end(), /not allowed/],
        [(_, response) => response.writeHead(302, { location: server.url("/w.json") }).end(), /redirects too often/],
        [
          (_, response) =>
            response.writeHead(200, { "content-type": "application/json", "content-length": 1e9 }).end("["),
          /larger than/
        ],
        [
          (_, response) =>
            response.writeHead(200, { "content-type": "application/json" }).end(`{"words":[${"7,".repeat(30_000)}7]}`),
          /too many entries/
        ]
      ]
      let last = 0
      for (const [handler, error] of faults) {
        server.answer("/w.json", handler)
        yield* fetchAgain
        const [failed] = yield* subscriptions("owner", mine)
        assert.deepStrictEqual(failed!.state, { id: 4, label: "Failed" }, String(error))
        assert.match(failed!.lastError ?? "", error)
        const [next] = yield* untilNext
        assert.isAbove(next!, last)
        last = next!
      }
      const texts: ReadonlyArray<readonly [document: unknown, error: RegExp]> = [
        [{ words: [] }, /no words/],
        [{ words: ["\u0301"] }, /no words/],
        [{ words: "word" }, /no list of words/],
        [{ words: Array.from({ length: 10_001 }, (_, n) => `word${n}`) }, /more than 10000 words/],
        [{ words: Array.from({ length: 10_000 }, (_, n) => `${n}`.padStart(100, "x")) }, /more than 500000 letters/]
      ]
      for (const [document, error] of texts) {
        server.publish("/w.json", document)
        yield* fetchAgain
        assert.match((yield* subscriptions("owner", mine))[0]!.lastError ?? "", error)
      }
      assert.deepStrictEqual(
        (yield* lists("owner", mine))
          .filter(({ subscriptionUrl }) => subscriptionUrl !== null)
          .map(({ words }) => words),
        [["kept"]]
      )
      server.publish("/w.json", { words: ["new"] })
      yield* fetchAgain
      assert.deepInclude((yield* subscriptions("owner", mine))[0]!, { lastError: null, importedWordsCount: 1 })
      assert.isBelow((yield* untilNext)[0]!, 4_200)
      yield* remove("owner", mine, id)
    })
  )

  it.effect("refuse addresses that lead nowhere, within, or back here", () =>
    Effect.gen(function* () {
      for (const url of [
        undefined,
        "",
        7,
        "words.json",
        "ftp://lists.example/words.json",
        "https://",
        "https://user:secret@lists.example/words.json",
        "http://10.0.0.1/words.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[fd00::1]/words.json",
        "http://localhost:9000/words.json",
        "https://8.8.8.8/words.json",
        `https://lists.example/${"x".repeat(2_000)}`,
        "javascript:alert(1)"
      ]) {
        for (const path of [`${mine}/subscriptions`, `${ours}/subscriptions`]) {
          const who = path.startsWith(mine) ? "owner" : "moderator"
          assert.deepStrictEqual(refused(yield* ask(who, "POST", path, { url })), ["url"], `${url}`)
        }
      }
      for (const path of [`${mine}/subscriptions`, `${ours}/subscriptions`]) {
        const who = path.startsWith(mine) ? "owner" : "moderator"
        assert.strictEqual((yield* ask(who, "DELETE", `${path}/999999`)).status, 404)
        assert.deepStrictEqual(refused(yield* ask(who, "DELETE", `${path}/x`)), ["id"])
        assert.deepStrictEqual(refused(yield* ask(who, "GET", `${path}?sort=url&count=101`)), ["count", "sort"])
      }
      const server = yield* ListServer
      for (let n = 0; n < 20; n++)
        yield* subscribe("helper", "/watched-words/accounts/helper", server.url(`/${n}.json`))
      const more = yield* ask("helper", "POST", "/watched-words/accounts/helper/subscriptions", {
        url: server.url("/20.json")
      })
      assert.strictEqual(more.status, 409)
    })
  )
})
