import { assert, layer } from "@effect/vitest"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { VideoSortColumn } from "@kinora/domain/enums/VideoSort"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ViewCounts } from "../../../src/video/view/ViewCounts.ts"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import type { VideoViewer } from "../../../src/video/read/VideoQuery.ts"
import { VideoTrends } from "../../../src/video/read/VideoTrends.ts"
import { ReadModelRefresher } from "../../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { compactOwnerTotals, compactVideoTotals } from "../../../src/video/read/TotalsUpkeep.ts"

const Services = Layer.mergeAll(VideoLists.layer, VideoTrends.layer, ViewCounts.layer, ReadModelRefresher.layer).pipe(
  Layer.provideMerge(TestDatabase)
)

const page = Effect.fnUntraced(function* (query: Partial<VideoListQuery>, viewer?: VideoViewer) {
  const lists = yield* VideoLists
  const text = yield* lists.list({ ...toVideoListQuery({}), ...query }, viewer)
  return JSON.parse(text) as { readonly total: number; readonly data: ReadonlyArray<{ readonly id: number }> }
})

const first = (by: VideoSortColumn) =>
  Effect.map(page({ sort: { by, descending: true }, count: 3 }), ({ data }) => data.map(({ id }) => id))

layer(Services)("what lists keep of videos", (it) => {
  it.effect("trends count the views of the last days, end with these, and take new views at once", () =>
    Effect.gen(function* () {
      yield* prepareReadModels("https://videos.example")
      const sql = yield* SqlClient
      const trends = yield* VideoTrends
      const { videoIds } = yield* seedVideos({ videos: 12, accounts: 3 })
      const [old, middle, fresh] = videoIds as [number, number, number]
      yield* sql`update video set views = 1000 where id = ${old}`
      yield* sql`update video set views = 500 where id = ${middle}`
      yield* sql`insert into video_view_day (video_id, day, views) values
        (${old}, (now() at time zone 'UTC')::date - 7, 900), (${middle}, (now() at time zone 'UTC')::date - 6, 5),
        (${fresh}, (now() at time zone 'UTC')::date, 3)`
      assert.strictEqual(yield* trends.refresh(7), 2)
      assert.deepStrictEqual((yield* first("trending")).slice(0, 2), [middle, fresh])
      assert.strictEqual(yield* trends.refresh(7), 0)

      yield* sql`insert into video_viewing (video_id, started_at, seen_at, position, sought, counted_at)
        select ${fresh}, now(), now(), 1, false, now() from generate_series(1, 4)`
      yield* (yield* ViewCounts).apply
      assert.deepStrictEqual((yield* first("trending")).slice(0, 2), [fresh, middle])
      assert.strictEqual(yield* trends.refresh(7), 0)

      // Days go by without a view.
      yield* sql`update video_view_day set day = day - 3`
      assert.strictEqual(yield* trends.refresh(7), 1)
      assert.strictEqual((yield* first("trending"))[0], fresh)
      yield* sql`update video_view_day set day = day - 30`
      yield* trends.refresh(7)
      const views = yield* sql<{ id: number }>`select id from video order by views desc, id desc limit 3`
      assert.deepStrictEqual(
        yield* first("trending"),
        views.map(({ id }) => id)
      )
    })
  )

  it.effect("what files come to follows them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const kept = Effect.map(
        sql<{ hls: boolean; web: boolean; size: number }>`
          select has_hls as hls, has_web_videos as web, local_files_size as size from video order by id limit 1`,
        (rows) => rows[0]!
      )
      const id = (yield* sql<{ id: number }>`select min(id) as id from video`)[0]!.id
      const before = yield* kept
      assert.isTrue(before.hls && before.web)
      yield* sql`update video_file set size = size + 1 where video_id = ${id}`
      assert.strictEqual((yield* kept).size, before.size + 4)
      yield* sql`delete from video_file where video_id = ${id}`
      assert.isFalse((yield* kept).web)
      yield* sql`delete from streaming_playlist where video_id = ${id}`
      assert.deepStrictEqual(yield* kept, { hls: false, web: false, size: 0 })
      assert.notInclude(
        (yield* page({ hasHLSFiles: true, count: 100 })).data.map((video) => video.id),
        id
      )
      assert.strictEqual((yield* page({ hasHLSFiles: true, count: 1 })).total, 11)
    })
  )

  it.effect("numbers of hidden videos follow blocks, publications and changes of owner", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owners = yield* sql<VideoViewer>`select user_id as "userId", id as "accountId" from account order by id`
      const [viewer, blocked, other] = owners as [VideoViewer, VideoViewer, VideoViewer]
      const agree = Effect.gen(function* () {
        const { data, total } = yield* page({ count: 100 }, viewer)
        assert.strictEqual(total, data.length)
        return total
      })
      const all = yield* agree
      yield* sql`insert into account_block (account_id, target_account_id) values (${viewer.accountId}, ${blocked.accountId})`
      const some = yield* agree
      assert.isBelow(some, all)
      const [given] = yield* sql<{ id: number }>`
        update video set account_id = ${other.accountId} where id = (
          select id from video where account_id = ${blocked.accountId} limit 1
        ) returning id`
      assert.strictEqual(yield* agree, some + 1)
      yield* sql`update video set privacy = 3 where id = ${given!.id}`
      assert.strictEqual(yield* agree, some)
      yield* sql`update video set privacy = 3 where account_id = ${blocked.accountId}`
      assert.strictEqual(yield* agree, some)
      yield* compactVideoTotals(sql)
      yield* compactOwnerTotals(sql)
      assert.strictEqual(yield* agree, some)
      yield* sql`delete from account_block`
      assert.strictEqual(yield* agree, some)
    })
  )

  it.effect("read models of other instances' videos are filled once they were asked for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const refresher = yield* ReadModelRefresher
      yield* sql`update video set remote = true where privacy = 1`
      yield* sql`delete from video_read_model`
      const { data } = yield* page({ count: 2 })
      const rows = sql<{ id: number }>`select video_id as id from video_read_model order by 1 desc`
      // The page does not wait for its note.
      while ((yield* rows).length < 2) yield* Effect.yieldNow
      assert.deepStrictEqual(
        (yield* rows).map(({ id }) => id),
        data.map(({ id }) => id).toSorted((a, b) => b - a)
      )
      while ((yield* refresher.refresh(100)) > 0);
      const ready = yield* sql<{ ready: number }>`
        select count(*) as ready from video_read_model where summary is not null and details is not null`
      assert.strictEqual(ready[0]!.ready, 2)
    })
  )
})
