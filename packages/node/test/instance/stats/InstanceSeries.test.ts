import { assert, layer } from "@effect/vitest"
import { InstanceTimeSeries } from "@kinora/domain/wire/InstanceTimeSeries"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Sampling } from "../../../src/instance/stats/Sampling.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { feedNode } from "../../social/feed/FeedNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { bearer, login, send } from "../about/Client.ts"
import { rootPassword } from "../about/TestNode.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(InstanceTimeSeries), { onExcessProperty: "error" })

const ask = Effect.fnUntraced(function* (query = "") {
  const { access_token } = yield* login("root", rootPassword)
  return yield* send(`/api/v1/server/stats/timeseries${query}`, bearer(access_token))
})

const series = (query?: string) => Effect.map(ask(query), ({ text }) => decode(text))

const sample = Supervisor.use((supervisor) => supervisor.once("instance figures"))

layer(Sampling.pipe(Layer.provideMerge(feedNode())), { excludeTestServices: true })("figures over time", (it) => {
  it.effect("are measured, and what a node counts is added once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* addVideo({ owner: "owner" })
      yield* sql`
        insert into job (type, payload, state, finished_at) values ('video-transcoding', '{}', 'completed', now()),
          ('video-transcoding', '{}', 'failed', now()), ('video-transcoding', '{}', 'failed', now() - interval '3 hours')`
      yield* sample
      const requests = Effect.map(
        sql<{ value: string }>`select sum(value)::text as value from instance_sample where metric = 'requests'`,
        (rows) => Number(rows[0]!.value)
      )
      const before = yield* requests
      yield* Effect.replicateEffect(send("/api/v1/ping"), 5)
      yield* sample
      assert.strictEqual(yield* requests, before + 5)
      const { data, groupInterval } = yield* series()
      assert.strictEqual(groupInterval, "1 day")
      assert.deepInclude(data.at(-1)!.values, { users: 4, videos: 1, fileBytes: 200, jobsCompleted: 1, jobsFailed: 1 })
      assert.isAbove(data.at(-1)!.values.databaseBytes ?? 0, 0)
      assert.isAbove(data.at(-1)!.values.responseBytes ?? 0, 0)
    })
  )

  it.effect("levels are the last of a step and counts its sum", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into instance_sample (metric, hour, value) values
          ('users', '2020-01-01T10:00Z', 3), ('users', '2020-01-01T11:00Z', 7),
          ('requests', '2020-01-01T10:00Z', 100), ('requests', '2020-01-01T11:00Z', 10), ('requests', '2020-01-03T00:00Z', 1)`
      const days = yield* series("?startDate=2020-01-01T10:30:00.000Z&endDate=2020-02-01T00:00:00.000Z")
      assert.deepStrictEqual(days, {
        groupInterval: "1 day",
        data: [
          { date: "2020-01-01T00:00:00.000Z", values: { users: 7, requests: 110 } },
          { date: "2020-01-03T00:00:00.000Z", values: { requests: 1 } }
        ]
      })
      const hours = yield* series("?startDate=2020-01-01T10:30:00.000Z&endDate=2020-01-02T00:00:00.000Z")
      assert.deepStrictEqual(hours, {
        groupInterval: "1 hour",
        data: [
          { date: "2020-01-01T10:00:00.000Z", values: { users: 3, requests: 100 } },
          { date: "2020-01-01T11:00:00.000Z", values: { users: 7, requests: 10 } }
        ]
      })
    })
  )

  it.effect("a span needs both ends, in their order, and is not endless", () =>
    Effect.gen(function* () {
      const now = DateTime.formatIso(yield* DateTime.now)
      for (const query of [
        `?startDate=${now}`,
        `?startDate=${now}&endDate=2020-01-01T00:00:00.000Z`,
        `?startDate=1970-01-01T00:00:00.000Z&endDate=${now}`,
        "?startDate=yesterday&endDate=today"
      ]) {
        assert.strictEqual((yield* ask(query)).status, 400, query)
      }
      assert.strictEqual((yield* send("/api/v1/server/stats/timeseries")).status, 401)
    })
  )
})
