import { assert, layer } from "@effect/vitest"
import { VideoPasswordList } from "@kinora/domain/wire/VideoAnswers"
import { Effect, Schema } from "effect"
import { ask, Crew, crewNode, type Member, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../list/Videos.ts"

const decode = Schema.decodeUnknownEffect(VideoPasswordList)

const list = Effect.fnUntraced(function* (uuid: string, query = "") {
  const answer = yield* ask("owner", "GET", `/videos/${uuid}/passwords${query}`)
  assert.strictEqual(answer.status, 200)
  assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  return yield* decode(answer.json)
})

const texts = (uuid: string) => Effect.map(list(uuid), ({ data }) => data.map(({ password }) => password).toSorted())

const opens = (uuid: string, password: string) =>
  Effect.map(
    send(`/api/v1/videos/${uuid}`, { headers: { "x-peertube-video-password": password } }),
    ({ status }) => status === 200
  )

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Passwords of a video", (it) => {
  it.effect("are added, replaced and removed, and open it from then on", () =>
    Effect.gen(function* () {
      const { id, uuid } = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["first"] })
      const path = `/videos/${uuid}/passwords`
      assert.strictEqual((yield* ask("owner", "POST", path, { password: "second" })).status, 204)
      assert.strictEqual((yield* ask("owner", "POST", path, { password: "second" })).status, 204)
      const { data, total } = yield* list(uuid)
      assert.strictEqual(total, 2)
      assert.deepStrictEqual(
        data.map(({ password, videoId }) => [password, videoId]),
        [
          ["first", id],
          ["second", id]
        ]
      )
      assert.isTrue(yield* opens(uuid, "second"))
      const { data: newest, total: same } = yield* list(uuid, "?sort=-createdAt&count=1")
      assert.deepStrictEqual([newest.map(({ password }) => password), same], [["second"], 2])
      assert.deepStrictEqual((yield* list(uuid, "?start=5")).data, [])
      assert.strictEqual((yield* ask("owner", "PUT", path, { passwords: ["second", "third"] })).status, 204)
      const replaced = yield* list(uuid)
      assert.deepStrictEqual(
        replaced.data.map(({ password }) => password),
        ["second", "third"]
      )
      assert.strictEqual(replaced.data[0]!.id, data[1]!.id)
      assert.isFalse(yield* opens(uuid, "first"))
      assert.strictEqual((yield* ask("owner", "DELETE", `${path}/${data[1]!.id}`)).status, 204)
      assert.deepStrictEqual(yield* texts(uuid), ["third"])
      assert.isFalse(yield* opens(uuid, "second"))
      const last = yield* ask("owner", "DELETE", `${path}/${replaced.data[1]!.id}`)
      assert.strictEqual(last.status, 400)
      assert.include(last.json.detail, "last password")
      assert.strictEqual((yield* ask("owner", "DELETE", `${path}/${data[1]!.id}`)).status, 404)
      assert.isTrue(yield* opens(uuid, "third"))
      const { json } = yield* ask("owner", "GET", "/video-channels/owner_channel/activities?count=1")
      assert.deepInclude(json.data[0], { action: { id: 6, label: "Update passwords" } })
    })
  )

  it.effect("are for who may change the video alone", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["sesame"] })
      const path = `/videos/${uuid}/passwords`
      const statuses = Effect.fnUntraced(function* (who: Member) {
        const { json } = yield* ask("owner", "GET", path)
        return [
          (yield* ask(who, "GET", path)).status,
          (yield* ask(who, "POST", path, { password: `of ${who}` })).status,
          (yield* ask(who, "PUT", path, { passwords: ["sesame", `by ${who}`] })).status,
          (yield* ask(who, "DELETE", `${path}/${json.data.at(-1).id}`)).status
        ]
      })
      assert.deepStrictEqual(yield* statuses("anonymous"), [401, 401, 401, 401])
      // Who does not manage the video is asked for its password first.
      assert.deepStrictEqual(yield* statuses("stranger"), [401, 401, 401, 401])
      assert.deepStrictEqual(yield* texts(uuid), ["sesame"])
      for (const who of ["helper", "moderator", "owner"] as const) {
        const [read, added, put] = yield* statuses(who)
        assert.deepStrictEqual([read, added, put], [200, 204, 204], who)
      }
      // Knowing one does not tell the others.
      const { stranger } = yield* Crew
      const knows = { authorization: `Bearer ${stranger}`, "x-peertube-video-password": "sesame" }
      assert.strictEqual((yield* send(`/api/v1${path}`, { headers: knows })).status, 403)
    })
  )

  it.effect("of another video, of none and of an open one are refused", () =>
    Effect.gen(function* () {
      const mine = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["one", "two"] })
      const other = yield* addVideo({ owner: "owner", privacy: 5, passwords: ["three", "four"] })
      const [foreign] = (yield* list(other.uuid)).data
      const path = `/videos/${mine.uuid}/passwords`
      assert.strictEqual((yield* ask("owner", "DELETE", `${path}/${foreign!.id}`)).status, 404)
      assert.lengthOf((yield* list(other.uuid)).data, 2)
      assert.deepStrictEqual(refused(yield* ask("owner", "DELETE", `${path}/x`)), ["passwordId"])
      for (const passwords of [undefined, [], ["a"], ["same", "same"], ["x".repeat(101)], [3]]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "PUT", path, { passwords })), ["passwords"])
      }
      for (const password of [undefined, "", "a", "x".repeat(101), "a\u0000b"]) {
        const answer = yield* ask("owner", "POST", path, { password })
        assert.deepStrictEqual(refused(answer), ["password"])
        // What was refused is a secret too.
        assert.notInclude(answer.text, "xxx")
      }
      const many = Array.from({ length: 100 }, (_, i) => `password ${i}`)
      assert.strictEqual((yield* ask("owner", "PUT", path, { passwords: many })).status, 204)
      assert.strictEqual((yield* ask("owner", "POST", path, { password: "one more" })).status, 400)
      assert.deepStrictEqual(refused(yield* ask("owner", "GET", `${path}?sort=password`)), ["sort"])
      const open = yield* addVideo({ owner: "owner" })
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", { password: "sesame" }],
        ["PUT", { passwords: ["sesame"] }]
      ] as const) {
        const answer = yield* ask("owner", method, `/videos/${open.uuid}/passwords`, body)
        assert.strictEqual(answer.status, 400, method)
        assert.include(answer.json.detail, "not protected by a password")
      }
      assert.strictEqual((yield* ask("owner", "GET", "/videos/4294967/passwords")).status, 404)
    })
  )
})

const strict = crewNode({ rates_limit: { video_password: { max: 3, window: "1 hour" } } })

layer(strict, { excludeTestServices: true, timeout: 60_000 })("Wrong passwords of a video", (it) => {
  it.effect("are as many as the setting says, of one address for one video", () =>
    Effect.gen(function* () {
      const [one, other] = [
        yield* addVideo({ owner: "owner", privacy: 5, passwords: ["right"] }),
        yield* addVideo({ owner: "owner", privacy: 5, passwords: ["right"] })
      ]
      const tried = (uuid: string, password: string, address = "203.0.113.1") =>
        Effect.map(
          send(`/api/v1/videos/${uuid}`, {
            headers: { "x-peertube-video-password": password, "x-forwarded-for": address }
          }),
          ({ status }) => status
        )
      assert.strictEqual(yield* tried(one.uuid, "right"), 200)
      for (const wrong of ["a", "b", "c"]) assert.strictEqual(yield* tried(one.uuid, wrong), 403)
      // From here on none is compared, so that none can be found.
      assert.strictEqual(yield* tried(one.uuid, "right"), 429)
      assert.strictEqual(yield* tried(other.uuid, "right"), 200)
      assert.strictEqual(yield* tried(one.uuid, "right", "203.0.113.2"), 200)
    })
  )
})
