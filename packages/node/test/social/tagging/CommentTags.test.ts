import { assert, layer } from "@effect/vitest"
import { ManagedComments } from "@kinora/domain/wire/Comment"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { moderationWorker } from "../../../src/social/tagging/ModerationTasks.ts"
import { ModerationWorker } from "../../../src/social/tagging/ModerationWorker.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { approve, ask, counted, say, sayMore, texts, threads } from "../comment/Talk.ts"

const isManaged = Schema.decodeUnknownSync(ManagedComments)

const own = "/watched-words/accounts/owner/lists"
const policies = "/automatic-tags/policies/accounts/owner/comments"

/** Adds a list; answers its row id. */
const watch = Effect.fnUntraced(function* (
  token: string,
  path: string,
  listName: string,
  words: ReadonlyArray<string>
) {
  const answer = yield* ask("POST", path, token, { listName, words })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.watchedWordsList.id as number
})

const review = Effect.fnUntraced(function* (token: string, tags: ReadonlyArray<string>) {
  assert.strictEqual((yield* ask("PUT", policies, token, { review: tags })).status, 204)
})

/** Text and tags of the comments below one's own videos, or of all, by text. */
const managed = Effect.fnUntraced(function* (token: string, path: string, query: string) {
  const { json, status } = yield* ask("GET", `${path}?count=100&${query}`, token)
  assert.strictEqual(status, 200)
  return isManaged(json)
    .data.map(({ automaticTags, heldForReview, text }) => [text, automaticTags, heldForReview] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
})

const mine = (token: string, query = "") => managed(token, "/users/me/videos/comments", query)
const all = (token: string, query = "") => managed(token, "/videos/comments", query)

/** Matches again what there is. */
const matchAgain = Effect.gen(function* () {
  const worker = yield* ModerationWorker
  while (yield* worker.once);
})

const node = moderationWorker.pipe(Layer.provideMerge(peopledNode))

layer(node, { excludeTestServices: true, timeout: 120_000 })("automatic tags of comments", (it) => {
  it.effect("are those of the video's owner and of the instance, each for themselves", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      yield* watch(owner, own, "Rude", ["idiot", "café au lait"])
      yield* watch(moderator, "/watched-words/server/lists", "Crude", ["IDIOT"])
      yield* watch(other, "/watched-words/accounts/other/lists", "Elsewhere", ["idiot"])
      const query = `videoId=${id}`
      yield* say(other, uuid, "nothing of it")
      yield* say(other, uuid, "You Ïdiot!")
      yield* say(other, uuid, "b**i**g Cafe\u0301 au  lait, i**d**iot")
      yield* say(other, uuid, "look at https://elsewhere.example/x and http://localhost:9000/")
      yield* say(other, uuid, "look at http://localhost:9000/w/1")
      yield* say(other, uuid, "idiots")
      assert.deepStrictEqual(yield* mine(owner, query), [
        ["You Ïdiot!", ["Rude"], false],
        ["b**i**g Cafe\u0301 au  lait, i**d**iot", ["Rude"], false],
        ["idiots", [], false],
        ["look at http://localhost:9000/w/1", [], false],
        ["look at https://elsewhere.example/x and http://localhost:9000/", ["external-link"], false],
        ["nothing of it", [], false]
      ])
      assert.deepStrictEqual(yield* all(moderator, `${query}&autoTagOneOf=crude`), [
        ["You Ïdiot!", ["Crude"], false],
        ["b**i**g Cafe\u0301 au  lait, i**d**iot", ["Crude"], false]
      ])
      assert.deepStrictEqual(
        (yield* mine(owner, `${query}&autoTagOneOf=external-link&autoTagOneOf=Rude`)).map(([text]) => text).length,
        3
      )
      assert.deepStrictEqual(yield* mine(owner, `${query}&autoTagOneOf=Crude`), [])
      // Below the videos of others, the words of whoever has none there mean nothing.
      assert.deepStrictEqual(yield* mine(other, "autoTagOneOf=Elsewhere"), [])
      assert.strictEqual((yield* ask("GET", "/videos/comments?autoTagOneOf=Crude", owner)).status, 403)
    })
  )

  it.effect("hold comments for review where the owner wants it, but none of who looks after the video", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      yield* review(owner, ["rude", "external-link"])
      assert.deepStrictEqual((yield* ask("GET", policies, owner)).json, { review: ["external-link", "Rude"] })
      const held = yield* say(other, uuid, "idiot, again")
      assert.isTrue(held.heldForReview)
      assert.isTrue((yield* say(other, uuid, "see www.elsewhere.example")).heldForReview)
      assert.isFalse((yield* say(other, uuid, "fine")).heldForReview)
      assert.isFalse((yield* say(owner, uuid, "idiot, says the owner")).heldForReview)
      assert.isFalse((yield* say(moderator, uuid, "idiot, says a moderator")).heldForReview)
      assert.deepStrictEqual(texts(yield* threads(uuid)).toSorted(), [
        "fine",
        "idiot, says a moderator",
        "idiot, says the owner"
      ])
      assert.strictEqual((yield* counted(uuid)).comments, 3)
      assert.deepStrictEqual(yield* mine(owner, `videoId=${id}&isHeldForReview=true`), [
        ["idiot, again", ["Rude"], true],
        ["see www.elsewhere.example", ["external-link"], true]
      ])
      assert.strictEqual((yield* approve(uuid, held.id, owner)).status, 204)
      assert.include(texts(yield* threads(uuid)), "idiot, again")

      yield* review(owner, [])
      assert.isFalse((yield* say(other, uuid, "idiot, once more")).heldForReview)
    })
  )

  it.effect("follow the lists: what there is is matched again when one changes", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      for (let n = 0; n < 3; n++) yield* say(other, uuid, `banana ${n}`)
      yield* say(other, uuid, "cherry")
      yield* matchAgain
      const query = `videoId=${id}&autoTagOneOf=Fruit`
      const list = yield* watch(owner, own, "Fruit", ["banana"])
      assert.deepStrictEqual(yield* mine(owner, query), [])
      yield* matchAgain
      assert.deepStrictEqual(
        (yield* mine(owner, query)).map(([text, tags]) => [text, tags]),
        [0, 1, 2].map((n) => [`banana ${n}`, ["Fruit"]])
      )
      assert.strictEqual(
        (yield* ask("PUT", `${own}/${list}`, owner, { listName: "Food", words: ["cherry"] })).status,
        204
      )
      yield* matchAgain
      assert.deepStrictEqual(yield* mine(owner, query), [])
      assert.deepStrictEqual(yield* mine(owner, `videoId=${id}&autoTagOneOf=Food`), [["cherry", ["Food"], false]])
      assert.strictEqual((yield* ask("DELETE", `${own}/${list}`, owner)).status, 204)
      yield* matchAgain
      assert.deepStrictEqual(yield* mine(owner, `videoId=${id}&autoTagOneOf=Food`), [])

      // Those of the instance look at everything.
      const server = "/watched-words/server/lists"
      const ours = yield* watch(moderator, server, "Red", ["cherry"])
      yield* matchAgain
      assert.deepStrictEqual(
        (yield* all(moderator, "autoTagOneOf=Red")).map(([text]) => text),
        ["cherry"]
      )
      assert.strictEqual((yield* ask("DELETE", `${server}/${ours}`, moderator)).status, 204)
      yield* matchAgain
      assert.deepStrictEqual(yield* all(moderator, "autoTagOneOf=Red"), [])
    })
  )

  it.effect("are matched again in steps, and a job whose words are others by now does nothing", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const first = yield* say(other, uuid, "kiwi")
      const sql = yield* SqlClient
      yield* sayMore(first.id, "kiwi", 1_200)
      const list = yield* watch(owner, own, "Kiwis", ["kiwi"])
      yield* ask("PUT", `${own}/${list}`, owner, { words: ["kiwi", "kiwis"] })
      const waiting = yield* sql`select 1 from job where type = 'automatic-tags' and state = 'waiting'`
      assert.strictEqual(waiting.length, 2)
      const worker = yield* ModerationWorker
      assert.isTrue(yield* worker.once)
      const tagged = sql<{ n: number }>`
        select count(*) as n from comment_automatic_tag t join video_comment c on c.id = t.comment_id
        where c.video_id = ${id} and t.name = 'Kiwis'`
      assert.strictEqual((yield* tagged)[0]!.n, 0)
      assert.isTrue(yield* worker.once)
      assert.strictEqual((yield* tagged)[0]!.n, 1201)
      yield* ask("DELETE", `${own}/${list}`, owner)
      yield* matchAgain
      assert.strictEqual((yield* tagged)[0]!.n, 0)
    })
  )

  it.effect("take the policy along with the name of a list, and let go of it with the list", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const list = yield* watch(owner, own, "Before", ["grape"])
      yield* review(owner, ["Before", "external-link"])
      yield* ask("PUT", `${own}/${list}`, owner, { listName: "After" })
      assert.deepStrictEqual((yield* ask("GET", policies, owner)).json, { review: ["After", "external-link"] })
      const available = yield* ask("GET", "/automatic-tags/accounts/owner/available", owner)
      assert.deepStrictEqual(available.json.available, [
        { name: "external-link", type: "core" },
        { name: "After", type: "watched-words-list" },
        { name: "Rude", type: "watched-words-list" }
      ])
      yield* ask("DELETE", `${own}/${list}`, owner)
      assert.deepStrictEqual((yield* ask("GET", policies, owner)).json, { review: ["external-link"] })
      const unknown = yield* ask("PUT", policies, owner, { review: ["Rude", "After"] })
      assert.deepStrictEqual([unknown.status, Object.keys(unknown.json["invalid-params"])], [400, ["review"]])
      assert.include(unknown.text, "After")
      for (const given of [7, null, [7], { a: 1 }, ["x".repeat(101)]]) {
        assert.strictEqual((yield* ask("PUT", policies, owner, { review: given })).status, 400, JSON.stringify(given))
      }
      yield* review(owner, [])
    })
  )

  it.effect("go with the comment", () =>
    Effect.gen(function* () {
      const { moderator, other } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const said = yield* say(other, uuid, "idiot, last")
      yield* ask("DELETE", `/videos/${uuid}/comments/${said.id}`, other)
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select 1 from comment_automatic_tag where comment_id = ${said.id}`, [])
      assert.deepStrictEqual(yield* all(moderator, `videoId=${id}&autoTagOneOf=Crude`), [])
    })
  )
})
