import { assert, layer } from "@effect/vitest"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import type { VideoScope, VideoViewer } from "../../../src/video/read/VideoQuery.ts"
import { videoListStatement } from "../../../src/video/read/VideoListStatement.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoList), { onExcessProperty: "error" })
const explained = Schema.decodeUnknownSync(Schema.Struct({ "QUERY PLAN": Schema.String }))

const Services = VideoLists.layer.pipe(Layer.provideMerge(TestDatabase))

const scheduled = { includeScheduledLive: true }

layer(Services)("lists with announced lives", (it) => {
  const read = Effect.fnUntraced(function* (
    query: Partial<VideoListQuery> = {},
    viewer?: VideoViewer,
    scope?: VideoScope
  ) {
    const lists = yield* VideoLists
    return yield* decode(yield* lists.list({ ...toVideoListQuery({}), ...query }, viewer, scope))
  })
  const ids = (list: typeof VideoList.Type) => list.data.map(({ id }) => id)

  it.effect("has lives that wait for their time, with their state, and no others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* prepareReadModels("http://localhost:9000")
      const { accountIds, videoIds } = yield* seedVideos({ videos: 30, accounts: 3 })
      const [soon, late, past, plain, internal, on, blocked] = videoIds.toReversed() as [
        number,
        number,
        number,
        number,
        number,
        number,
        number
      ]
      const lives = [soon, late, past, plain, internal, on, blocked]
      yield* sql`update video set is_live = true, state = 4 where id = any(${lives}::integer[])`
      yield* sql`update video set state = 1 where id = ${on}`
      yield* sql`update video set privacy = 4 where id = ${internal}`
      yield* sql`insert into video_blacklist (video_id, type) values (${blocked}, 1)`
      yield* sql`
        insert into live_schedule (video_id, start_at) values
          (${soon}, now() + interval '1 hour'), (${soon}, now() + interval '1 day'), (${late}, now() - interval '5 minutes'),
          (${past}, now() - interval '1 hour'), (${internal}, now() + interval '1 hour'),
          (${on}, now() + interval '1 hour'), (${blocked}, now() + interval '1 hour')`

      const without = yield* read()
      assert.strictEqual(without.total, 24)
      assert.strictEqual(ids(without)[0], on)

      const all = yield* read(scheduled)
      assert.strictEqual(all.total, 26)
      assert.deepStrictEqual(ids(all).slice(0, 3), [soon, late, on])
      assert.strictEqual(all.data[0]!.state?.id, 4)
      assert.strictEqual(all.data[0]!.liveSchedules?.length, 2)
      assert.strictEqual(all.data[2]!.state, undefined)

      const lastPage = yield* read({ ...scheduled, start: 15 })
      assert.strictEqual(new Set([...ids(all), ...ids(lastPage)]).size, 26)

      assert.deepStrictEqual(ids(yield* read({ ...scheduled, isLive: true })), [soon, late, on])
      assert.strictEqual((yield* read({ ...scheduled, isLive: false })).total, 23)
      const viewer = { userId: 1, accountId: accountIds[0]! }
      assert.deepStrictEqual(ids(yield* read({ ...scheduled, isLive: true }, viewer)), [soon, late, internal, on])
      const [{ accountId }] = (yield* sql<{ accountId: number }>`
        select account_id as "accountId" from video where id = ${soon}`) as [{ accountId: number }]
      const mine = yield* read({ ...scheduled, isLive: true }, undefined, { _tag: "Account", accountId })
      assert.isTrue(ids(mine).includes(soon))
      assert.strictEqual(mine.total, mine.data.length)
      const named = yield* read({ ...scheduled, search: "seeded", isLive: true })
      assert.deepStrictEqual(new Set(ids(named)), new Set([soon, late, on]))
      assert.strictEqual(named.total, 3)
      const managed = yield* read({ ...scheduled, isLive: true, privacyOneOf: [1] }, viewer)
      assert.deepStrictEqual(ids(managed), [soon, late, on])
    })
  )

  it.effect("walks the index of the order as without them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into video (channel_id, account_id, url, name, privacy, state, duration, published_at)
        select c.id, c.account_id, 'http://localhost:9000/videos/watch/more-' || n, 'More', 1, 1, 60,
          now() - n * interval '1 minute'
        from generate_series(1, 4000) n, (select id, account_id from video_channel order by id limit 1) c`
      yield* sql`vacuum analyze video`
      const { text, values } = videoListStatement(
        {
          query: { ...toVideoListQuery({}), ...scheduled },
          viewer: undefined,
          scope: undefined,
          blockerIds: [],
          facts: {}
        },
        { _tag: "none" }
      )
      const rows = yield* sql.unsafe(`explain (analyze, buffers, timing off, costs off, summary off) ${text}`, values)
      const plan = rows.map((row) => explained(row)["QUERY PLAN"]).join("\n")
      assert.include(plan, "using video_by_published", plan)
      assert.notInclude(plan, "Seq Scan on video ", plan)
    })
  )
})
