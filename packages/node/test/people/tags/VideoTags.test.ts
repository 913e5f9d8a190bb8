import { assert, layer } from "@effect/vitest"
import { AutomaticTagAvailable, VideoAutoTagPolicies } from "@kinora/domain/wire/AutomaticTags"
import { VideoBlockList } from "@kinora/domain/wire/VideoBlock"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { moderationWorker } from "../../../src/social/tagging/ModerationTasks.ts"
import { ModerationWorker } from "../../../src/social/tagging/ModerationWorker.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, crewNode, type Member, refused } from "../channel/Crew.ts"

const blocks = Schema.decodeUnknownEffect(VideoBlockList)
const availableTags = Schema.decodeUnknownEffect(AutomaticTagAvailable)
const chosenTags = Schema.decodeUnknownEffect(VideoAutoTagPolicies)

const lists = "/watched-words/server/lists"
const policy = "/automatic-tags/policies/server/videos"

const watch = Effect.fnUntraced(function* (listName: string, words: ReadonlyArray<string>) {
  const answer = yield* ask("moderator", "POST", lists, { listName, words })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.watchedWordsList.id as number
})

const block = Effect.fnUntraced(function* (tags: ReadonlyArray<string>) {
  assert.strictEqual((yield* ask("moderator", "PUT", policy, { autoBlock: tags })).status, 204)
})

const edit = Effect.fnUntraced(function* (who: Member, uuid: string, fields: Readonly<Record<string, unknown>>) {
  assert.strictEqual((yield* ask(who, "PUT", `/videos/${uuid}`, fields)).status, 204)
})

/** Names and tags of the videos that moderators list. */
const tagged = Effect.fnUntraced(function* (query: string) {
  const { json, status } = yield* ask("moderator", "GET", `/videos?include=68&count=100&${query}`)
  assert.strictEqual(status, 200)
  const data = json.data as ReadonlyArray<{ name: string; automaticTags: ReadonlyArray<string> }>
  return data.map(({ automaticTags, name }) => [name, automaticTags] as const).toSorted()
})

const blocked = Effect.fnUntraced(function* (query = "type=3") {
  const { json, status } = yield* ask("moderator", "GET", `/videos/blacklist?${query}`)
  assert.strictEqual(status, 200)
  return (yield* blocks(json)).data
})

const isSeen = (who: Member, uuid: string) =>
  Effect.map(ask(who, "GET", `/videos/${uuid}`), ({ status }) => status === 200)

const node = moderationWorker.pipe(Layer.provideMerge(crewNode()))

layer(node, { excludeTestServices: true, timeout: 60_000 })("automatic tags of videos", (it) => {
  it.effect("are of their name, description, support and tags, as they are changed", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      yield* watch("Fruit", ["banana"])
      yield* edit("owner", uuid, { name: "A Bánana here" })
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=fruit"), [["A Bánana here", ["Fruit"]]])
      yield* edit("owner", uuid, { name: "Nothing here", description: "Of *ban*ana, at https://elsewhere.example" })
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=fruit"), [["Nothing here", ["external-link", "Fruit"]]])
      yield* edit("owner", uuid, { description: "Plain text", tags: ["banana"] })
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=fruit"), [["Nothing here", ["Fruit"]]])
      yield* edit("owner", uuid, { tags: ["bananas"], support: "banana" })
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=fruit"), [["Nothing here", ["Fruit"]]])
      yield* edit("owner", uuid, { support: "Plain text" })
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=fruit"), [])
      assert.deepStrictEqual(yield* tagged(""), [["Nothing here", []]])
      assert.strictEqual((yield* ask("owner", "GET", "/videos?autoTagOneOf=Fruit")).status, 403)
      assert.strictEqual((yield* ask("anonymous", "GET", "/videos?autoTagOneOf=Fruit")).status, 401)
      const plain = yield* ask("anonymous", "GET", "/videos")
      assert.notProperty(plain.json.data[0], "automaticTags")
    })
  )

  it.effect("follow the lists", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      yield* edit("owner", uuid, { name: "About cherries" })
      const worker = yield* ModerationWorker
      const id = yield* watch("Red", ["cherries"])
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=Red"), [])
      while (yield* worker.once);
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=Red"), [["About cherries", ["Red"]]])
      yield* ask("moderator", "DELETE", `${lists}/${id}`)
      while (yield* worker.once);
      assert.deepStrictEqual(yield* tagged("autoTagOneOf=Red"), [])
    })
  )

  it.effect("block a video that gets one of those the instance chose, and tell moderators why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      const list = yield* watch("Forbidden", ["grape"])
      yield* edit("owner", uuid, { name: "A grape, before" })
      yield* block(["forbidden"])
      assert.deepStrictEqual(yield* chosenTags((yield* ask("moderator", "GET", policy)).json), {
        autoBlock: ["Forbidden"]
      })
      // What has the tag already is not touched, even when it is changed.
      yield* edit("owner", uuid, { description: "Again, a grape" })
      assert.isTrue(yield* isSeen("anonymous", uuid))
      yield* edit("owner", uuid, { name: "Nothing of it", description: "Plain text" })
      yield* edit("owner", uuid, { name: "GRAPE!" })
      assert.isFalse(yield* isSeen("anonymous", uuid))
      assert.isTrue(yield* isSeen("owner", uuid))
      const [it, ...others] = yield* blocked()
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(
        [it?.type, it?.reason, it?.internalNote, it?.unfederated, it?.video.name],
        [3, null, "Automatic tags: Forbidden", false, "GRAPE!"]
      )
      assert.deepStrictEqual(yield* blocked("type=1"), [])
      const marks = yield* sql`select 1 from notification_event where tag = 'VideoBlocked' and subject = ${id}`
      assert.strictEqual(marks.length, 1)

      // A moderator has looked at it: the same words do not block it again.
      assert.strictEqual((yield* ask("moderator", "DELETE", `/videos/${uuid}/blacklist`)).status, 204)
      yield* edit("owner", uuid, { description: "Still a grape" })
      assert.isTrue(yield* isSeen("anonymous", uuid))
      yield* edit("owner", uuid, { name: "Gone", description: "Plain text" })
      yield* edit("owner", uuid, { name: "Grape" })
      assert.isFalse(yield* isSeen("anonymous", uuid))
      yield* ask("moderator", "DELETE", `/videos/${uuid}/blacklist`)

      // What nobody has seen yet is kept from others, too. What they have stays as it was until a moderator decides.
      const unseen = yield* addVideo({ owner: "owner", state: 2 })
      yield* edit("owner", unseen.uuid, { name: "A grape that nobody has seen" })
      assert.deepStrictEqual(
        (yield* blocked()).map(({ unfederated }) => unfederated),
        [true]
      )
      yield* ask("moderator", "DELETE", `/videos/${unseen.uuid}/blacklist`)

      // Nobody blocks those who decide on it, nor whom they trust.
      yield* edit("moderator", uuid, { name: "Gone" })
      yield* edit("moderator", uuid, { name: "Grape" })
      assert.isTrue(yield* isSeen("anonymous", uuid))
      yield* edit("owner", uuid, { name: "Gone" })
      yield* sql`update app_user set admin_flags = 1 where username = 'owner'`
      yield* edit("owner", uuid, { name: "Grape" })
      assert.isTrue(yield* isSeen("anonymous", uuid))
      yield* sql`update app_user set admin_flags = 0 where username = 'owner'`

      yield* ask("moderator", "DELETE", `${lists}/${list}`)
      assert.deepStrictEqual((yield* ask("moderator", "GET", policy)).json, { autoBlock: [] })
    })
  )

  it.effect("can be chosen by moderators alone, from what there is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from audit_entry`
      const tags = yield* availableTags((yield* ask("moderator", "GET", "/automatic-tags/server/available")).json)
      assert.deepStrictEqual(tags.available, [
        { name: "external-link", type: "core" },
        { name: "Fruit", type: "watched-words-list" }
      ])
      assert.deepStrictEqual(refused(yield* ask("moderator", "PUT", policy, { autoBlock: ["Other"] })), ["autoBlock"])
      assert.deepStrictEqual(refused(yield* ask("moderator", "PUT", policy, { autoBlock: 7 })), ["autoBlock"])
      yield* block(["external-link", "EXTERNAL-LINK", "fruit"])
      assert.deepStrictEqual((yield* ask("administrator", "GET", policy)).json, {
        autoBlock: ["external-link", "Fruit"]
      })
      // What changes nothing leaves no entry.
      yield* block(["fruit", "external-link"])
      yield* block([])
      yield* block([])
      assert.deepStrictEqual(yield* sql`select username, domain, before, after from audit_entry order by id`, [
        {
          username: "moderator",
          domain: "automatic-tags",
          before: { autoBlock: [] },
          after: { autoBlock: ["external-link", "Fruit"] }
        },
        {
          username: "moderator",
          domain: "automatic-tags",
          before: { autoBlock: ["external-link", "Fruit"] },
          after: { autoBlock: [] }
        }
      ])
      const account = "/automatic-tags/policies/accounts/owner/comments"
      const available = "/automatic-tags/accounts/owner/available"
      for (const [method, path, who, status] of [
        ["GET", policy, "anonymous", 401],
        ["GET", policy, "owner", 403],
        ["PUT", policy, "anonymous", 401],
        ["PUT", policy, "owner", 403],
        ["GET", "/automatic-tags/server/available", "anonymous", 401],
        ["GET", "/automatic-tags/server/available", "owner", 403],
        ["GET", account, "anonymous", 401],
        ["GET", account, "stranger", 403],
        ["GET", account, "administrator", 403],
        ["PUT", account, "anonymous", 401],
        ["PUT", account, "moderator", 403],
        ["GET", available, "anonymous", 401],
        ["GET", available, "stranger", 403],
        ["GET", available, "owner", 200],
        ["GET", "/automatic-tags/accounts/nobody_here/available", "owner", 404]
      ] as const) {
        const body = method === "PUT" ? { review: [], autoBlock: [] } : undefined
        assert.strictEqual((yield* ask(who, method, path, body)).status, status, `${who} ${method} ${path}`)
      }
    })
  )
})
