import { assert, describe, it as plain, layer } from "@effect/vitest"
import { VideoChapters } from "@kinora/domain/wire/VideoAnswers"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { chaptersInText } from "../../../src/video/chapter/ChaptersOf.ts"
import { ask, crewNode, type Member, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../list/Videos.ts"

const decode = Schema.decodeUnknownEffect(VideoChapters)

const read = Effect.fnUntraced(function* (uuid: string, who: Member = "anonymous") {
  const answer = yield* ask(who, "GET", `/videos/${uuid}/chapters`)
  assert.strictEqual(answer.status, 200)
  return (yield* decode(answer.json)).chapters.map(({ timecode, title }) => `${timecode} ${title}`)
})

describe("chapters in a description", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["plain", "Hello\n0:00 Begin\n1:05 Middle\n\nBye", ["0 Begin", "65 Middle"]],
    ["with hours and signs", "00:00:00 - A\r\n* [0:10] B\r\n(1:00:01): C", ["0 A", "10 B", "3601 C"]],
    ["one alone", "0:00 Begin", []],
    ["a mention", "See 1:05 for it\nand 2:05 too", []],
    ["going back", "0:10 A\n0:05 B\n0:20 C", []],
    ["no such minute", "0:00 A\n0:61 B", []],
    ["behind the end", "0:00 A\n0:10 B\n3:00:00 C", ["0 A", "10 B"]],
    ["without titles", "0:00\n0:10 ", []]
  ]
  plain.each(cases)("%s", (_, text, expected) => {
    const found = chaptersInText(text, 7200).map(({ timecode, title }) => `${timecode} ${title}`)
    assert.deepStrictEqual<ReadonlyArray<string>>(found, expected)
  })
  plain("cuts titles and never takes long", () => {
    const [first] = chaptersInText(`0:00 ${"x".repeat(300)}\n0:01 y`, 10)
    assert.strictEqual(first!.title.length, 100)
    // What grows with the square of the length does not end within the test's time.
    chaptersInText(`${"- ".repeat(1_000_000)}\n${"0:00".repeat(500_000)}`, 10)
  })
})

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Chapters", (it) => {
  it.effect("are those set by hand, then the description's, then the file's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      assert.deepStrictEqual(yield* read(uuid), [])
      const metadata = { chapters: [{ start_time: "2.5", tags: { title: "Late" } }, { start_time: "0.0" }, 7] }
      yield* sql`update video_source set metadata = ${JSON.stringify(metadata)}::text::jsonb where video_id = ${id}`
      assert.deepStrictEqual(yield* read(uuid), ["2 Late"])
      yield* ask("owner", "PUT", `/videos/${uuid}`, { description: "0:00 One\n0:03 <b>Two</b>" })
      assert.deepStrictEqual(yield* read(uuid), ["0 One", "3 <b>Two</b>"])
      const chapters = [
        { timecode: 4, title: " Four " },
        { timecode: "1", title: "One" }
      ]
      assert.strictEqual((yield* ask("owner", "PUT", `/videos/${uuid}/chapters`, { chapters })).status, 204)
      assert.deepStrictEqual(yield* read(uuid), ["1 One", "4 Four"])
      assert.strictEqual((yield* ask("owner", "PUT", `/videos/${uuid}/chapters`, { chapters: [] })).status, 204)
      assert.deepStrictEqual(yield* read(uuid), [])
    })
  )

  it.effect("are set by the people of the channel and moderators", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const statuses: Record<string, number> = {}
      for (const who of ["anonymous", "stranger", "helper", "moderator", "owner"] as const) {
        const chapters = [{ timecode: 0, title: who }]
        statuses[who] = (yield* ask(who, "PUT", `/videos/${uuid}/chapters`, { chapters })).status
      }
      assert.deepStrictEqual(statuses, { anonymous: 401, stranger: 403, helper: 204, moderator: 204, owner: 204 })
      assert.deepStrictEqual(yield* read(uuid), ["0 owner"])
      const { json } = yield* ask("owner", "GET", "/video-channels/owner_channel/activities?count=1")
      assert.deepInclude(json.data[0], { action: { id: 5, label: "Update chapters" } })
      assert.strictEqual((yield* ask("owner", "PUT", "/videos/4294967/chapters", { chapters: [] })).status, 404)
    })
  )

  it.effect("are refused when one of them is not right", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const title = "One"
      for (const chapters of [
        undefined,
        "x",
        [{ title }],
        [{ timecode: -1, title }],
        [{ timecode: 1.5, title }],
        [{ timecode: 3e9, title }],
        [{ timecode: 1, title: "" }],
        [{ timecode: 1, title: "x".repeat(101) }],
        [{ timecode: 1, title: "\u0000" }],
        [{ timecode: 1, title: 3 }],
        [
          { timecode: 1, title },
          { timecode: 1, title: "Two" }
        ],
        Array.from({ length: 501 }, (_, timecode) => ({ timecode, title }))
      ]) {
        const answer = yield* ask("owner", "PUT", `/videos/${uuid}/chapters`, { chapters })
        assert.deepStrictEqual(refused(answer), ["chapters"], String(JSON.stringify(chapters)).slice(0, 80))
      }
      assert.deepStrictEqual(yield* read(uuid), [])
    })
  )

  it.effect("of videos one may not see are not told", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner", privacy: 3 })
      yield* ask("owner", "PUT", `/videos/${uuid}/chapters`, { chapters: [{ timecode: 0, title: "Secret" }] })
      assert.deepStrictEqual(yield* read(uuid, "owner"), ["0 Secret"])
      assert.strictEqual((yield* ask("anonymous", "GET", `/videos/${uuid}/chapters`)).status, 401)
      assert.strictEqual((yield* ask("stranger", "GET", `/videos/${uuid}/chapters`)).status, 403)
      const locked = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["sesame"] })
      const path = `/api/v1/videos/${locked.uuid}/chapters`
      assert.strictEqual((yield* send(path)).json.code, "video_requires_password")
      assert.strictEqual((yield* send(path, { headers: { "x-peertube-video-password": "sesame" } })).status, 200)
    })
  )
})
