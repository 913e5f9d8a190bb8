import { assert, layer } from "@effect/vitest"
import {
  VideoStatsOverall,
  VideoStatsRetention,
  VideoStatsTimeserie,
  VideoStatsUserAgent
} from "@kinora/domain/wire/VideoStats"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"
import { lasting, watch } from "./Watching.ts"

const overallOf = Schema.decodeUnknownEffect(VideoStatsOverall)
const retentionOf = Schema.decodeUnknownEffect(VideoStatsRetention)
const seriesOf = Schema.decodeUnknownEffect(VideoStatsTimeserie)
const userAgentsOf = Schema.decodeUnknownEffect(VideoStatsUserAgent)

const all = ["overall", "retention", "timeseries/viewers", "timeseries/aggregateWatchTime", "user-agent"] as const

const ask = Effect.fn("ask")(function* (video: string | number, figures: string, query: Record<string, string> = {}) {
  const { owner } = yield* People
  return yield* send(`/api/v1/videos/${video}/stats/${figures}?${new URLSearchParams(query)}`, bearer(owner))
})

/** A video of 20 seconds that one has watched all of, and another from the middle. */
const watched = Effect.gen(function* () {
  const video = yield* addVideo({ owner: "owner" })
  yield* lasting(video, 20)
  yield* watch(video.uuid, 0, 20, { sessionId: "one", client: "A player", device: "smarttv", operatingSystem: "Tizen" })
  yield* watch(video.uuid, 10, 20, { sessionId: "two" }, { "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0" })
  return video
})

layer(peopledNode, { excludeTestServices: true })("Figures of a video", (it) => {
  it.effect("are those of its own instance alone", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      yield* (yield* SqlClient)`update video set remote = true where id = ${id}`
      for (const figures of all) {
        const { status } = yield* send(`/api/v1/videos/${uuid}/stats/${figures}`, bearer(administrator))
        assert.strictEqual(status, 403, figures)
      }
    })
  )

  it.effect("tell how many watched how long", () =>
    Effect.gen(function* () {
      const { uuid } = yield* watched
      const { viewersPeakDate, ...overall } = yield* overallOf((yield* ask(uuid, "overall")).json)
      assert.deepStrictEqual(overall, {
        averageWatchTime: 15,
        totalWatchTime: 30,
        totalViewers: 2,
        viewersPeak: 1,
        countries: [],
        subdivisions: []
      })
      assert.isNotNull(viewersPeakDate)
      const past = yield* overallOf((yield* ask(uuid, "overall", { endDate: "2020-01-01" })).json)
      assert.deepInclude(past, { totalViewers: 0, averageWatchTime: 0, viewersPeak: 0, viewersPeakDate: null })
    })
  )

  it.effect("tell the peak of viewers at one time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { id, uuid } = yield* addVideo({ owner: "owner" })
      for (const [from, to] of [
        ["10:00", "10:30"],
        ["10:10", "10:40"],
        ["10:30", "10:50"],
        ["10:20", "10:25"]
      ]) {
        yield* sql`
          insert into video_viewing (video_id, started_at, seen_at, position, sought)
          values (${id}, ${`2026-03-04 ${from}Z`}::timestamptz, ${`2026-03-04 ${to}Z`}::timestamptz, 0, false)`
      }
      const overall = yield* overallOf((yield* ask(uuid, "overall")).json)
      assert.deepInclude(overall, { viewersPeak: 3, viewersPeakDate: "2026-03-04T10:20:00.000Z" })
      const asked = { startDate: "2026-03-04T10:15:00Z", endDate: "2026-03-04T11:00:00Z" }
      const series = yield* seriesOf((yield* ask(uuid, "timeseries/viewers", asked)).json)
      assert.strictEqual(series.groupInterval, "1 minute")
      assert.strictEqual(series.data.length, 46)
      const at = new Map(series.data.map(({ date, value }) => [date.slice(11, 16), value]))
      assert.deepStrictEqual([at.get("10:15"), at.get("10:22"), at.get("10:45"), at.get("10:55")], [2, 3, 1, 0])
      const other = yield* ask(uuid, "overall", { startDate: "2026-03-04T10:15:00Z" })
      assert.strictEqual((yield* overallOf(other.json)).totalViewers, 2)
    })
  )

  it.effect("tell which seconds were watched", () =>
    Effect.gen(function* () {
      const { uuid } = yield* watched
      const { data } = yield* retentionOf((yield* ask(uuid, "retention")).json)
      assert.deepStrictEqual(
        data.map(({ second }) => second),
        Array.from({ length: 21 }, (_, second) => second)
      )
      assert.deepStrictEqual(
        data.map(({ retentionPercent }) => retentionPercent),
        [...Array.from({ length: 10 }, () => 50), ...Array.from({ length: 11 }, () => 100)]
      )
      const unseen = yield* addVideo({ owner: "owner" })
      const none = yield* retentionOf((yield* ask(unseen.uuid, "retention")).json)
      assert.isTrue(none.data.length === 6 && none.data.every(({ retentionPercent }) => retentionPercent === 0))
    })
  )

  it.effect("tell over time, in steps that fit the span", () =>
    Effect.gen(function* () {
      const { uuid } = yield* watched
      const now = yield* DateTime.now
      const usual = yield* seriesOf((yield* ask(uuid, "timeseries/aggregateWatchTime")).json)
      assert.strictEqual(usual.groupInterval, "1 day")
      assert.include([30, 31], usual.data.length)
      assert.strictEqual(
        usual.data.reduce((sum, { value }) => sum + value, 0),
        30
      )
      for (const [days, interval, most] of [
        [0.02, "1 minute", 30],
        [1, "10 minutes", 146],
        [6, "1 hour", 146],
        [90, "1 day", 92],
        [700, "7 days", 102],
        [3650, "1 month", 122]
      ] as const) {
        const endDate = DateTime.formatIso(now)
        const startDate = DateTime.formatIso(DateTime.subtract(now, { minutes: days * 1440 }))
        for (const metric of ["viewers", "aggregateWatchTime"]) {
          const { json } = yield* ask(uuid, `timeseries/${metric}`, { startDate, endDate })
          const series = yield* seriesOf(json)
          assert.strictEqual(series.groupInterval, interval)
          assert.isAtMost(series.data.length, most)
        }
      }
    })
  )

  it.effect("tell what it was watched with", () =>
    Effect.gen(function* () {
      const { uuid } = yield* watched
      const told = yield* userAgentsOf((yield* ask(uuid, "user-agent")).json)
      assert.deepStrictEqual(told.clients, [
        { name: "A player", viewers: 1 },
        { name: "Firefox", viewers: 1 }
      ])
      assert.deepStrictEqual(told.devices, [
        { name: "desktop", viewers: 1 },
        { name: "smarttv", viewers: 1 }
      ])
      assert.deepStrictEqual(told.operatingSystem, [
        { name: "Linux", viewers: 1 },
        { name: "Tizen", viewers: 1 }
      ])
      assert.deepStrictEqual(told.operatingSystems, told.operatingSystem)
    })
  )

  it.effect("are for those who work on the video, and moderators", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { administrator, moderator, other, owner } = yield* People
      const { id, uuid } = yield* addVideo({ owner: "owner", privacy: 3 })
      const open = yield* addVideo({ owner: "owner" })
      const statuses = (video: string | number, token?: string) =>
        Effect.forEach(all, (figures) =>
          Effect.map(
            send(`/api/v1/videos/${video}/stats/${figures}`, token === undefined ? {} : bearer(token)),
            (it) => it.status
          )
        )
      const each = (status: number) => all.map(() => status)
      assert.deepStrictEqual(yield* statuses(uuid), each(401))
      assert.deepStrictEqual(yield* statuses(open.uuid, other), each(403))
      assert.deepStrictEqual(yield* statuses(id, other), each(404))
      assert.deepStrictEqual(yield* statuses(999_999, owner), each(404))
      for (const token of [owner, moderator, administrator])
        assert.deepStrictEqual(yield* statuses(uuid, token), each(200))
      yield* sql`
        insert into video_channel_collaborator (channel_id, account_id, state)
        select v.channel_id, a.id, 2 from video v, account a join app_user u on u.id = a.user_id
        where v.id = ${id} and u.username = 'other'`
      assert.deepStrictEqual(yield* statuses(uuid, other), each(200))
    })
  )

  it.effect("API-14: spans are bounded, and dates the database would not know refused", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const refused = Effect.fn(function* (figures: string, query: Record<string, string>, field: string) {
        const { json, status } = yield* ask(uuid, figures, query)
        assert.deepStrictEqual(
          [status, Object.keys(json["invalid-params"] ?? {})],
          [400, [field]],
          JSON.stringify(query)
        )
      })
      const viewers = "timeseries/viewers"
      yield* refused(viewers, { startDate: "2010-01-01", endDate: "2026-01-01" }, "startDate")
      yield* refused(viewers, { startDate: "2026-01-01" }, "endDate")
      yield* refused(viewers, { endDate: "2026-01-01" }, "startDate")
      yield* refused("timeseries/likes", {}, "metric")
      for (const figures of ["overall", "user-agent", viewers]) {
        yield* refused(figures, { startDate: "2026-02-01", endDate: "2026-01-01" }, "endDate")
        for (const startDate of ["0000-01-01", "yesterday", "2026-02-30", "9999-12-31T23:59:59-02:00", "\u0000", ""]) {
          yield* refused(figures, { startDate, endDate: "2026-01-01" }, "startDate")
        }
      }
      assert.strictEqual((yield* ask(uuid, "overall", { startDate: "1900-01-01", endDate: "9999-12-31" })).status, 200)
    })
  )
})
