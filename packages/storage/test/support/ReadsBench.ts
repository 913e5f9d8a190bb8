/** Measures the hot reads through the client alone: `node packages/storage/test/support/ReadsBench.ts [videos]`. */
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { Clock, Console, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { argv } from "node:process"
import { videoListStatement } from "../../src/video/read/VideoListStatement.ts"
import { VideoLists } from "../../src/video/list/VideoLists.ts"
import { VideoReads } from "../../src/video/read/VideoReads.ts"
import { ReadModelRefresher } from "../../src/video/read/ReadModelRefresher.ts"
import { prepareReadModels } from "../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "./SeedVideos.ts"
import { TestDatabase } from "./TestDatabase.ts"

const connections = 20
const measured = Duration.seconds(3)

const measure = Effect.fnUntraced(function* <E, R>(name: string, request: Effect.Effect<unknown, E, R>) {
  yield* Effect.replicateEffect(request, 200, { concurrency: connections, discard: true })
  const end = (yield* Clock.currentTimeMillis) + Duration.toMillis(measured)
  const times: Array<number> = []
  const worker = Effect.gen(function* () {
    for (;;) {
      const start = yield* Clock.currentTimeNanos
      yield* request
      const now = yield* Clock.currentTimeNanos
      times.push(Number(now - start) / 1e6)
      if ((yield* Clock.currentTimeMillis) >= end) return
    }
  })
  yield* Effect.replicateEffect(worker, connections, { concurrency: "unbounded", discard: true })
  times.sort((a, b) => a - b)
  const rate = Math.round((times.length / Duration.toMillis(measured)) * 1000)
  yield* Console.log(
    `${name}: ${rate}/s, p50 ${times[times.length >> 1]!.toFixed(2)} ms, p99 ${times[
      Math.floor(times.length * 0.99)
    ]!.toFixed(2)} ms`
  )
})

const explain = Effect.fnUntraced(function* (name: string, text: string, values: ReadonlyArray<unknown>) {
  const sql = yield* SqlClient
  const rows = yield* sql.unsafe<Record<string, string>>(
    `explain (analyze, costs off, timing off, summary on) ${text}`,
    values
  )
  yield* Console.log(`\n${name}\n${rows.map((row) => Object.values(row)[0]).join("\n")}`)
})

const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  const lists = yield* VideoLists
  const reads = yield* VideoReads
  const refresher = yield* ReadModelRefresher
  yield* prepareReadModels("http://localhost:9000")
  const seeded = yield* seedVideos({ videos: Number(argv[2] ?? 1000), accounts: 100 })
  const started = yield* Clock.currentTimeMillis
  while ((yield* refresher.refresh(500)) > 0);
  yield* Console.log(`read models filled in ${(yield* Clock.currentTimeMillis) - started} ms`)
  yield* sql.unsafe("vacuum analyze")
  const owners = yield* sql<{ userId: number; accountId: number }>`
    select user_id as "userId", id as "accountId" from account order by id limit 1`
  const viewer = owners[0]!
  yield* sql`insert into account_block (account_id, target_account_id)
    select ${viewer.accountId}, id from account where id <> ${viewer.accountId} order by id limit 50`
  yield* sql.unsafe("analyze account_block")
  const query = toVideoListQuery({})
  const video: VideoIdOrUuid = { _tag: "Uuid", uuid: seeded.uuids[500 % seeded.uuids.length]! as never }
  yield* measure("select 1", sql.unsafe("select 1"))
  yield* measure("list of 15, anonymous", lists.list(query))
  yield* measure("list of 15, anonymous, no spans", Effect.withTracerEnabled(lists.list(query), false))
  yield* measure("list of 15, 50 blocked accounts", lists.list(query, viewer))
  yield* measure("list of 15, by likes", lists.list({ ...query, sort: { by: "likes", descending: true } }))
  yield* measure("list of 15, category", lists.list({ ...query, categoryOneOf: [3] }))
  yield* measure("list of 15, search", lists.list({ ...query, search: "number 77" }))
  yield* measure("details, anonymous", reads.details(video))
  yield* measure("details, no spans", Effect.withTracerEnabled(reads.details(video), false))
  yield* measure("details, logged in", reads.details(video, viewer))
  const anonymous = videoListStatement(
    { query, viewer: undefined, scope: undefined, blockerIds: [], facts: {} },
    { _tag: "counted" }
  )
  yield* explain("list, anonymous", anonymous.text, anonymous.values)
  const blocked = videoListStatement(
    { query, viewer, scope: undefined, blockerIds: [viewer.accountId], facts: {} },
    { _tag: "counted" }
  )
  yield* explain("list, 50 blocked accounts", blocked.text, blocked.values)
})

await Effect.runPromise(
  program.pipe(
    Effect.provide(
      Layer.mergeAll(VideoLists.layer, VideoReads.layer, ReadModelRefresher.layer).pipe(
        Layer.provideMerge(TestDatabase)
      )
    )
  )
)
