import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../instance/about/Client.ts"
import { testNode } from "../instance/about/TestNode.ts"
import { People } from "../video/list/People.ts"
import { addVideo } from "../video/list/Videos.ts"

const path = "/api/v1/videos/live"

const call = (method: string, to: string, token: string, body?: unknown) =>
  send(to, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const channelOf = (token: string) =>
  Effect.map(send("/api/v1/users/me", bearer(token)), ({ json }) => json.videoChannels[0].id as number)

const create = Effect.fnUntraced(function* (token: string, fields: Record<string, unknown> = {}) {
  const channelId = yield* channelOf(token)
  return yield* call("POST", path, token, { name: "A live", privacy: 1, channelId, ...fields })
})

const made = Effect.fnUntraced(function* (token: string, fields: Record<string, unknown> = {}) {
  const { json, status } = yield* create(token, fields)
  assert.strictEqual(status, 200)
  return json.video as { readonly id: number; readonly uuid: string }
})

/** The lives of earlier tests are over, so that the limits are free. */
const allOver = Effect.flatMap(SqlClient, (sql) => sql`update video set state = 5 where is_live`)

const node = (live: Record<string, unknown>) =>
  People.layer.pipe(Layer.provideMerge(testNode({ live: { enabled: true, max_user_lives: 2, ...live } })))

layer(node({}), { excludeTestServices: true, timeout: 60_000 })("lives", (it) => {
  it.effect("are created waiting, with a key that only their makers see", () =>
    Effect.gen(function* () {
      const { administrator, moderator, other, owner } = yield* People
      const startAt = "2030-01-02T03:04:05.000Z"
      const live = yield* made(owner, {
        saveReplay: true,
        replaySettings: { privacy: 2 },
        permanentLive: true,
        latencyMode: 3,
        dvrWindow: 7200,
        schedules: [{ startAt }]
      })
      const mine = (yield* send(`${path}/${live.id}`, bearer(owner))).json
      assert.match(mine.streamKey, /^[0-9a-f-]{36}$/)
      assert.match(mine.rtmpUrl, /^rtmp:\/\/[^/]+\/live$/)
      assert.isNull(mine.rtmpsUrl)
      assert.isNull(mine.srtUrl)
      assert.isNull(mine.whipUrl)
      const { rtmpUrl: _u, rtmpsUrl: _s, srtUrl: _r, whipUrl: _w, streamKey: _k, ...shared } = mine
      assert.deepStrictEqual(shared, {
        saveReplay: true,
        replaySettings: { privacy: 2 },
        permanentLive: true,
        latencyMode: 3,
        // No more than the instance allows.
        dvrWindow: 3600,
        schedules: [{ startAt }]
      })
      assert.deepStrictEqual((yield* send(`${path}/${live.uuid}`, bearer(other))).json, shared)
      assert.deepStrictEqual((yield* send(`${path}/${live.uuid}`)).json, shared)
      assert.deepStrictEqual((yield* send(`${path}/${live.uuid}`, bearer(moderator))).json, shared)
      assert.deepStrictEqual((yield* send(`${path}/${live.uuid}`, bearer(administrator))).json, mine)

      const video = (yield* send(`/api/v1/videos/${live.uuid}`, bearer(owner))).json
      assert.deepStrictEqual([video.isLive, video.state.id, video.liveSchedules], [true, 4, [{ startAt }]])
      assert.strictEqual((yield* send("/api/v1/videos?isLive=true")).json.total, 0)
      assert.deepStrictEqual((yield* send(`${path}/${live.id}/sessions`, bearer(owner))).json, { total: 0, data: [] })
      const sql = yield* SqlClient
      const [row] = yield* sql<{
        text: string
      }>`select to_jsonb(l)::text as text from live_video l where video_id = ${live.id}`
      assert.notInclude(row!.text, mine.streamKey)
      yield* allOver
    })
  )

  it.effect("are in every list that is asked for announced ones, with a state and a time, and in no other", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const startAt = "2100-01-02T03:04:05.000Z"
      const { uuid } = yield* made(owner, { name: "Nightingales", schedules: [{ startAt }] })
      yield* made(owner, { name: "Nightingales some day" })
      const subscribed = yield* call("POST", "/api/v1/users/me/subscriptions", other, { uri: "owner_channel" })
      assert.strictEqual(subscribed.status, 204)
      const lists = [
        "/api/v1/videos?",
        "/api/v1/videos?isLive=true&sort=-views&",
        "/api/v1/videos?isLocal=true&sort=-hot&",
        "/api/v1/accounts/owner/videos?",
        "/api/v1/video-channels/owner_channel/videos?",
        "/api/v1/users/me/subscriptions/videos?",
        "/api/v1/search/videos?search=nightingales&"
      ]
      for (const list of lists) {
        const { json: all } = yield* send(`${list}includeScheduledLive=true`, bearer(other))
        const [live] = all.data
        assert.deepStrictEqual([all.total, live?.uuid], [1, uuid], list)
        assert.deepStrictEqual([live.isLive, live.state.id, live.liveSchedules], [true, 4, [{ startAt }]])
        const { json: none } = yield* send(list, bearer(other))
        assert.deepStrictEqual([none.total, none.data], [0, []], list)
      }
      const feed = yield* send("/feeds/videos.json?includeScheduledLive=true")
      assert.notInclude(feed.text, "Nightingales")
      yield* allOver
      assert.strictEqual((yield* send("/api/v1/videos?includeScheduledLive=true")).json.total, 0)
    })
  )

  it.effect("have a key that can be replaced, by those who may change them alone", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id } = yield* made(owner)
      const before = (yield* send(`${path}/${id}`, bearer(owner))).json.streamKey
      assert.strictEqual((yield* call("POST", `${path}/${id}/stream-key`, other)).status, 403)
      const after = (yield* call("POST", `${path}/${id}/stream-key`, owner)).json.streamKey
      assert.notStrictEqual(after, before)
      assert.strictEqual((yield* send(`${path}/${id}`, bearer(owner))).json.streamKey, after)
      yield* allOver
    })
  )

  it.effect("are changed while they wait, and no more when they have begun or ended", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      const { id } = yield* made(owner, { schedules: [{ startAt: "2030-01-02T03:04:05Z" }] })
      const change = { permanentLive: true, saveReplay: true, replaySettings: { privacy: 3 }, schedules: null }
      assert.strictEqual((yield* call("PUT", `${path}/${id}`, other, change)).status, 403)
      assert.strictEqual((yield* call("PUT", `${path}/${id}`, owner, { latencyMode: 9 })).status, 400)
      assert.strictEqual((yield* call("PUT", `${path}/${id}`, owner, change)).status, 204)
      const changed = (yield* send(`${path}/${id}`, bearer(owner))).json
      assert.deepStrictEqual(
        [changed.permanentLive, changed.saveReplay, changed.replaySettings, changed.schedules],
        [true, true, { privacy: 3 }, []]
      )
      assert.strictEqual((yield* call("POST", `${path}/${id}/end`, owner)).status, 409)
      yield* allOver
      assert.strictEqual((yield* call("PUT", `${path}/${id}`, owner, change)).status, 400)
    })
  )

  it.effect("are limited for a user, whoever creates at the same time", () =>
    Effect.gen(function* () {
      const { other } = yield* People
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => create(other)),
        { concurrency: 4 }
      )
      assert.sameMembers(
        answers.map(({ json, status }) => (status === 200 ? "created" : json.code)),
        ["created", "created", "max_user_lives_limit_reached", "max_user_lives_limit_reached"]
      )
      yield* allOver
      assert.strictEqual((yield* create(other)).status, 200)
      yield* allOver
    })
  )

  it.effect("refuse what is wrong, and are not found where there is another video", () =>
    Effect.gen(function* () {
      const { other, owner } = yield* People
      for (const wrong of [
        { latencyMode: 4 },
        { replaySettings: { privacy: 9 } },
        { schedules: [{ startAt: "tomorrow" }] },
        { dvrWindow: -1 },
        { name: "x" },
        { privacy: 5 }
      ]) {
        const answer = yield* create(owner, wrong)
        assert.strictEqual(answer.status, 400, JSON.stringify(wrong))
      }
      assert.strictEqual((yield* create(other, { channelId: yield* channelOf(owner) })).status, 400)
      const video = yield* addVideo({ owner: "owner" })
      assert.strictEqual((yield* send(`${path}/${video.id}`, bearer(owner))).status, 404)
      assert.strictEqual((yield* send(`/api/v1/videos/${video.id}/live-session`, bearer(owner))).status, 404)
    })
  )
})

layer(node({ allow_replay: false, latency_setting: { enabled: false } }), {
  excludeTestServices: true,
  timeout: 60_000
})("lives of an instance that keeps no replays", (it) => {
  it.effect("cannot ask for one, nor for another latency", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const refused = yield* create(owner, { saveReplay: true })
      assert.deepStrictEqual([refused.status, refused.json.code], [403, "live_not_allowing_replay"])
      const { id } = yield* made(owner, { latencyMode: 3 })
      assert.strictEqual((yield* send(`${path}/${id}`, bearer(owner))).json.latencyMode, 1)
    })
  )
})

layer(node({ enabled: false }), { excludeTestServices: true, timeout: 60_000 })("an instance without lives", (it) => {
  it.effect("says so", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const refused = yield* create(owner)
      assert.deepStrictEqual([refused.status, refused.json.code], [403, "live_not_enabled"])
      assert.isFalse((yield* send("/api/v1/config")).json.live.enabled)
    })
  )
})
