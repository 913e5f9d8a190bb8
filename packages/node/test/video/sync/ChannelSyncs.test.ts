import { assert, layer } from "@effect/vitest"
import { VideoChannelSyncCreated } from "@kinora/domain/wire/VideoChannelAnswers"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { ask, crewNode, members, refused } from "../../people/channel/Crew.ts"
import { channelId, switchedOn } from "./SyncNode.ts"

const isCreated = Schema.is(VideoChannelSyncCreated)
const path = "/video-channel-syncs"
const at = (n: number | string) => `https://127.0.0.1/c/${n}`

layer(crewNode(switchedOn(3)), { excludeTestServices: true, timeout: 60_000 })("synchronisations of channels", (it) => {
  const add = Effect.fnUntraced(function* (who: (typeof members)[number], body: object) {
    return yield* ask(who, "POST", path, { videoChannelId: yield* channelId("owner_channel"), ...body })
  })

  it.effect("are set up, listed, triggered and removed by those who publish in the channel", () =>
    Effect.gen(function* () {
      const made = yield* add("owner", { externalChannelUrl: at(1) })
      assert.strictEqual(made.status, 200, made.text)
      assert.isTrue(isCreated(made.json), made.text)
      const { videoChannelSync: sync } = made.json
      assert.deepInclude(sync, {
        externalChannelUrl: at(1),
        state: { id: 1, label: "Waiting first run" },
        lastSyncAt: null,
        videoPrivacy: 1
      })
      assert.strictEqual(sync.channel.name, "owner_channel")
      const { json } = yield* ask("owner", "GET", "/accounts/owner/video-channel-syncs")
      assert.deepStrictEqual(json, { total: 1, data: [sync] })
      const helped = yield* add("helper", { externalChannelUrl: at(2), videoPrivacy: "3" })
      assert.strictEqual(helped.json.videoChannelSync.videoPrivacy, 3)
      const activities = yield* ask("owner", "GET", "/video-channels/owner_channel/activities")
      assert.deepInclude(activities.json.data[0], { action: { id: 1, label: "Create" } })
      assert.strictEqual(activities.json.data[0].channelSync.externalChannelUrl, at(2))

      const other = `${path}/${sync.id}`
      const triggered: Record<string, number> = {}
      for (const who of members) triggered[who] = (yield* ask(who, "POST", `${other}/sync`)).status
      assert.deepStrictEqual(triggered, { anonymous: 401, stranger: 403, helper: 204, moderator: 403, owner: 204 })
      for (const who of ["anonymous", "stranger"] as const) {
        assert.strictEqual((yield* ask(who, "DELETE", other)).status, who === "stranger" ? 403 : 401)
      }
      const { access_token } = yield* login("root", rootPassword)
      const managed = yield* send(`/api/v1${other}/sync`, { method: "POST", ...bearer(access_token) })
      assert.strictEqual(managed.status, 204)
      const listed = yield* send("/api/v1/accounts/owner/video-channel-syncs", bearer(access_token))
      assert.deepStrictEqual([listed.status, listed.json.total], [200, 2])
      assert.strictEqual((yield* ask("moderator", "DELETE", other)).status, 204)
      assert.strictEqual((yield* ask("owner", "DELETE", other)).status, 404)
      assert.strictEqual((yield* ask("owner", "POST", `${other}/sync`)).status, 404)
      assert.strictEqual((yield* ask("helper", "DELETE", `${path}/${helped.json.videoChannelSync.id}`)).status, 204)
      const left = yield* ask("owner", "GET", "/accounts/owner/video-channel-syncs")
      assert.strictEqual(left.json.total, 0)
    })
  )

  it.effect("are refused with every failing field, before anything is looked up", () =>
    Effect.gen(function* () {
      const nothing = yield* ask("owner", "POST", path, {})
      assert.deepStrictEqual(refused(nothing), ["externalChannelUrl", "videoChannelId"])
      const wrong = { externalChannelUrl: "ftp://a.example/", videoChannelId: 0, videoPrivacy: 5 }
      assert.deepStrictEqual(refused(yield* ask("owner", "POST", path, wrong)), [
        "externalChannelUrl",
        "videoChannelId",
        "videoPrivacy"
      ])
      for (const url of ["https://me:secret@127.0.0.1/c", "https://", `https://127.0.0.1/${"x".repeat(2000)}`]) {
        assert.deepStrictEqual(refused(yield* add("owner", { externalChannelUrl: url })), ["externalChannelUrl"], url)
      }
      for (const url of ["https://10.0.0.1/c", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest"]) {
        assert.strictEqual((yield* add("owner", { externalChannelUrl: url })).status, 403, url)
      }
      assert.strictEqual((yield* add("owner", { externalChannelUrl: at(1), videoChannelId: 999_999 })).status, 404)
      for (const [who, status] of [
        ["anonymous", 401],
        ["stranger", 403],
        ["moderator", 403]
      ] as const) {
        assert.strictEqual((yield* add(who, { externalChannelUrl: at(1) })).status, status, who)
      }
      for (const id of ["0", "x", "1.5", "99999999999"]) {
        assert.deepStrictEqual(refused(yield* ask("owner", "DELETE", `${path}/${id}`)), ["channelSyncId"])
        assert.deepStrictEqual(refused(yield* ask("owner", "POST", `${path}/${id}/sync`)), ["channelSyncId"])
      }
    })
  )

  it.effect(
    "are as many as the operator allows, however many are asked for at once, and never two of one address",
    () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5], (n) => add("owner", { externalChannelUrl: at(n) }), {
          concurrency: 5
        })
        assert.deepStrictEqual(
          answers.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 200, 200, 400, 400]
        )
        assert.include(answers.find(({ status }) => status === 400)!.json.detail, "at most 3")
        const { json } = yield* ask("owner", "GET", "/accounts/owner/video-channel-syncs")
        const [known] = json.data
        assert.strictEqual((yield* add("owner", { externalChannelUrl: known.externalChannelUrl })).status, 409)
        const stranger = yield* channelId("stranger_channel")
        const theirs = yield* add("stranger", {
          externalChannelUrl: known.externalChannelUrl,
          videoChannelId: stranger
        })
        assert.strictEqual(theirs.status, 200)
        const body = { externalChannelUrl: at(9), videoChannelSyncId: theirs.json.videoChannelSync.id }
        assert.strictEqual(
          (yield* ask("owner", "POST", "/video-channels/owner_channel/import-videos", body)).status,
          404
        )
        const own = { ...body, videoChannelSyncId: known.id }
        const { access_token } = yield* login("root", rootPassword)
        const managed = yield* send("/api/v1/video-channels/owner_channel/import-videos", {
          method: "POST",
          headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
          body: JSON.stringify({ externalChannelUrl: at(8) })
        })
        assert.strictEqual(managed.status, 204, managed.text)
        const sql = yield* SqlClient
        yield* sql`update app_user set video_quota = 0 where username = 'owner'`
        const full = yield* ask("helper", "POST", "/video-channels/owner_channel/import-videos", {
          externalChannelUrl: at(7)
        })
        assert.strictEqual(full.status, 413, full.text)
        yield* sql`update app_user set video_quota = -1 where username = 'owner'`
        assert.strictEqual(
          (yield* ask("owner", "POST", "/video-channels/owner_channel/import-videos", own)).status,
          204
        )
      })
  )
})

const off = { import: { videos: { http: { enabled: true } } } }
layer(crewNode(off), { excludeTestServices: true, timeout: 60_000 })("where channels are not synchronised", (it) => {
  it.effect("none is set up, and what is there can be removed", () =>
    Effect.gen(function* () {
      const videoChannelId = yield* channelId("owner_channel")
      const answer = yield* ask("owner", "POST", path, { externalChannelUrl: at(1), videoChannelId })
      assert.deepStrictEqual([answer.status, answer.json.detail.includes("does not synchronise")], [403, true])
      assert.strictEqual((yield* ask("owner", "DELETE", `${path}/1`)).status, 404)
      const whole = yield* ask("owner", "POST", "/video-channels/owner_channel/import-videos", {
        externalChannelUrl: at(1)
      })
      assert.strictEqual(whole.status, 204)
      const many = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => n + 1),
        (n) => ask("owner", "POST", "/video-channels/owner_channel/import-videos", { externalChannelUrl: at(n) }),
        { concurrency: 4 }
      )
      const refusals = many.filter(({ status }) => status !== 204)
      assert.deepStrictEqual(
        refusals.map(({ json }) => [json.status, json.detail]),
        [1, 2].map(() => [400, "At most 10 channels wait for one user: try again later"])
      )
    })
  )
})

const without = { ...switchedOn(3), ytdlp: { path: "/nowhere/yt-dlp" } }
layer(crewNode(without), { excludeTestServices: true, timeout: 60_000 })("where yt-dlp is not installed", (it) => {
  it.effect("none is set up or triggered, and everybody is told why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const videoChannelId = yield* channelId("owner_channel")
      const [sync] = yield* sql<{ id: number }>`
        insert into video_channel_sync (channel_id, external_channel_url) values (${videoChannelId}, ${at(1)}) returning id`
      const answers = [
        yield* ask("owner", "POST", path, { externalChannelUrl: at(2), videoChannelId }),
        yield* ask("owner", "POST", "/video-channels/owner_channel/import-videos", { externalChannelUrl: at(2) }),
        yield* ask("owner", "POST", `${path}/${sync!.id}/sync`)
      ]
      for (const { json, status } of answers) {
        assert.strictEqual(status, 403)
        assert.include(json.detail, "has to install yt-dlp")
      }
      assert.lengthOf(yield* sql`select 1 from job where type = 'video-channel-import'`, 0)
      assert.strictEqual((yield* ask("owner", "DELETE", `${path}/${sync!.id}`)).status, 204)
    })
  )
})
