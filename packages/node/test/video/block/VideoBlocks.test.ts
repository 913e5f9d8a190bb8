import { assert, layer } from "@effect/vitest"
import { VideoBlockList } from "@kinora/domain/wire/VideoBlock"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Schema } from "effect"
import { send } from "../../instance/about/Client.ts"
import { ask, crewNode, type Member, refused } from "../../people/channel/Crew.ts"
import { eventually } from "../../runner/local/LocalNode.ts"
import { addVideo } from "../list/Videos.ts"

const blocks = Schema.decodeUnknownEffect(VideoBlockList)
const videos = Schema.decodeUnknownEffect(VideoList)

const list = Effect.fnUntraced(function* (query = "") {
  const answer = yield* ask("moderator", "GET", `/videos/blacklist${query}`)
  assert.strictEqual(answer.status, 200)
  return yield* blocks(answer.json)
})

const listed = Effect.fnUntraced(function* (uuid: string) {
  const { data } = yield* videos((yield* ask("anonymous", "GET", "/videos?count=100")).json)
  return data.some((video) => video.uuid === uuid)
})

const untilStatus = Effect.fnUntraced(function* (path: string, status: number) {
  yield* eventually(Effect.map(send(path), (answer) => answer.status === status))
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("A blocked video", (it) => {
  it.effect("is taken from view at once, everywhere, and comes back", () =>
    Effect.gen(function* () {
      const { token, uuid } = yield* addVideo({ owner: "owner" })
      const path = `/videos/${uuid}/blacklist`
      const file = `/static/web-videos/${token}-720.mp4`
      assert.strictEqual((yield* send(file)).status, 200)
      const body = { reason: "Not for here", internalNote: "Seen by two of us", unfederate: true }
      assert.strictEqual((yield* ask("moderator", "POST", path, body)).status, 204)
      assert.strictEqual((yield* ask("moderator", "POST", path, body)).status, 409)
      assert.isFalse(yield* listed(uuid))
      // Who is not logged in may be its owner.
      assert.strictEqual((yield* send(`/api/v1/videos/${uuid}`)).status, 401)
      assert.strictEqual((yield* ask("stranger", "GET", `/videos/${uuid}`)).status, 403)
      // What is remembered of a file's video is at most a second old.
      yield* untilStatus(file, 404)
      assert.notInclude((yield* send(`/videos/embed/${uuid}`)).text, token)
      const { json } = yield* ask("owner", "GET", `/videos/${uuid}`)
      assert.deepInclude(json, { blacklisted: true, blacklistedReason: "Not for here" })
      assert.notInclude(JSON.stringify(json), "Seen by two of us")

      const [block] = (yield* list()).data
      assert.deepInclude(block, { ...blockOf(body), type: 1 })
      assert.strictEqual(block!.video.uuid, uuid)

      assert.strictEqual((yield* ask("moderator", "PUT", path, { reason: "Against rule 3" })).status, 204)
      assert.deepInclude((yield* list()).data[0], { reason: "Against rule 3", internalNote: "Seen by two of us" })
      assert.strictEqual((yield* ask("moderator", "PUT", path, { internalNote: null })).status, 204)
      assert.deepInclude((yield* list()).data[0], { reason: "Against rule 3", internalNote: null })

      assert.strictEqual((yield* ask("moderator", "DELETE", path)).status, 204)
      assert.strictEqual((yield* ask("moderator", "DELETE", path)).status, 404)
      assert.strictEqual((yield* ask("moderator", "PUT", path, {})).status, 404)
      assert.isTrue(yield* listed(uuid))
      yield* untilStatus(file, 200)
    })
  )

  it.effect("is listed by what was blocked, when and why", () =>
    Effect.gen(function* () {
      for (const { video } of (yield* list()).data) yield* ask("moderator", "DELETE", `/videos/${video.uuid}/blacklist`)
      const made = [yield* addVideo({ owner: "owner" }), yield* addVideo({ owner: "stranger" })]
      for (const { uuid } of made) {
        assert.strictEqual((yield* ask("administrator", "POST", `/videos/${uuid}/blacklist`)).status, 204)
      }
      const uuids = (query: string) => Effect.map(list(query), ({ data }) => data.map(({ video }) => video.uuid))
      const [first, second] = made.map(({ uuid }) => uuid)
      assert.deepStrictEqual(yield* uuids(""), [second, first])
      assert.deepStrictEqual(yield* uuids("?sort=createdAt"), [first, second])
      assert.deepStrictEqual(yield* uuids("?sort=-name"), [second, first])
      assert.deepStrictEqual(yield* uuids("?search=STRANGER"), [second])
      assert.deepStrictEqual(yield* uuids("?search=%25"), [])
      assert.deepStrictEqual(yield* uuids("?type=2"), [])
      assert.deepStrictEqual(yield* uuids("?type=1&count=1&start=1"), [first])
      assert.strictEqual((yield* list("?count=1")).total, 2)
      for (const column of ["id", "duration", "views", "likes", "dislikes", "uuid"]) {
        assert.strictEqual((yield* uuids(`?sort=${column}`)).length, 2, column)
      }
    })
  )

  it.effect("is moderators' business, and what they send is read with care", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const path = `/videos/${uuid}/blacklist`
      const statuses = Effect.fnUntraced(function* (who: Member) {
        return [
          (yield* ask(who, "GET", "/videos/blacklist")).status,
          (yield* ask(who, "POST", path)).status,
          (yield* ask(who, "PUT", path, {})).status,
          (yield* ask(who, "DELETE", path)).status
        ]
      })
      assert.deepStrictEqual(yield* statuses("anonymous"), [401, 401, 401, 401])
      for (const who of ["owner", "helper", "stranger"] as const) {
        assert.deepStrictEqual(yield* statuses(who), [403, 403, 403, 403], who)
      }
      for (const [field, value] of [
        ["reason", "x"],
        ["reason", "x".repeat(301)],
        ["reason", 5],
        ["unfederate", "perhaps"],
        ["internalNote", "x".repeat(3001)]
      ] as const) {
        assert.deepStrictEqual(refused(yield* ask("moderator", "POST", path, { [field]: value })), [field])
      }
      assert.deepStrictEqual(refused(yield* ask("moderator", "GET", "/videos/blacklist?type=4&sort=state")), [
        "sort",
        "type"
      ])
      assert.strictEqual((yield* ask("moderator", "POST", "/videos/999999/blacklist")).status, 404)
    })
  )
})

const blockOf = ({ internalNote, reason }: { readonly reason: string; readonly internalNote: string }) => ({
  reason,
  internalNote,
  unfederated: true
})
