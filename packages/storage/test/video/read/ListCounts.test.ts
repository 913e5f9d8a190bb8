import { assert, layer } from "@effect/vitest"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { sqlState } from "../../../src/platform/database/DatabaseErrors.ts"
import { SlowSql } from "../../../src/platform/database/SlowSql.ts"
import { countKinds } from "../../support/CountKinds.ts"
import { makeKnownCounts } from "../../../src/video/read/KnownCounts.ts"
import { kindCounter } from "../../../src/video/read/ListCounts.ts"
import { countStatement } from "../../../src/video/read/VideoListStatement.ts"
import type { VideoViewer } from "../../../src/video/read/VideoQuery.ts"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { compactVideoCounts, compactVideoTotals } from "../../../src/video/read/TotalsUpkeep.ts"

const Services = VideoLists.layer.pipe(Layer.provideMerge(TestDatabase))

/** A source of numbers that gives the same ones each time. */
const chance = (seed: number) => {
  let state = seed
  const third = seed % 3
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  const below = (n: number) => Math.floor(next() * n)
  return { below, third, one: <A>(values: ReadonlyArray<A>): A => values[below(values.length)]! }
}
type Chance = ReturnType<typeof chance>

/** Something done to the database: a statement, or what the program does by several. */
type Step = string | ((sql: SqlClient) => Effect.Effect<unknown, SqlError>)

const run = (sql: SqlClient, step: Step): Effect.Effect<unknown, SqlError> =>
  typeof step === "string" ? sql.unsafe(step) : step(sql)

/** One change of what lists filter by; of videos whose row id is of a third: others change theirs meanwhile. */
const changes: ReadonlyArray<(random: Chance) => Step> = [
  (r) =>
    `update video set language = ${r.below(9) === 0 ? "null" : `'${r.one(["en", "fr", "ja"])}'`} where id % 3 = ${r.third} and id % 7 = ${r.below(7)}`,
  (r) =>
    `update video set category = ${r.one(["null", "1", "5"])}, licence = ${r.one(["null", "2", "7"])} where id % 3 = ${r.third} and id % 11 = ${r.below(11)}`,
  (r) => `update video set privacy = ${1 + r.below(5)} where id % 3 = ${r.third} and id % 13 = ${r.below(13)}`,
  (r) => `update video set state = ${1 + r.below(3)} where id % 3 = ${r.third} and id % 17 = ${r.below(17)}`,
  (r) =>
    `update video set nsfw = ${r.one(["true", "false"])}, nsfw_flags = ${r.below(8)} where id % 3 = ${r.third} and id % 9 = ${r.below(9)}`,
  (r) => `update video set is_live = not is_live where id % 3 = ${r.third} and id % 19 = ${r.below(19)}`,
  (r) => `update video set remote = not remote where id % 3 = ${r.third} and id % 23 = ${r.below(23)}`,
  (r) => `update video set views = views + 1 where id % 3 = ${r.third}`,
  (r) =>
    `delete from video_file where video_id in (select id from video where id % 3 = ${r.third} and id % 29 = ${r.below(29)})`,
  (r) =>
    `delete from streaming_playlist where video_id in (select id from video where id % 3 = ${r.third} and id % 31 = ${r.below(31)})`,
  (r) =>
    `insert into video_blacklist (video_id) select id from video where id % 3 = ${r.third} and id % 37 = ${r.below(37)} on conflict do nothing`,
  (r) => `delete from video_blacklist where video_id % 3 = ${r.third} and video_id % 5 = ${r.below(5)}`,
  (r) => `delete from video where id % 3 = ${r.third} and id % 97 = ${r.below(97)}`,
  (r) => `update video set (account_id, channel_id) = (
      select account_id, id from video_channel order by id offset ${r.below(10)} limit 1
    ) where id % 3 = ${r.third} and id % 15 = ${r.below(15)}`,
  (r) => `insert into video (channel_id, account_id, url, name, language, category, privacy, state, nsfw, remote)
    select c.id, c.account_id, 'https://tube.example/' || gen_random_uuid(), 'New', ${r.one(["null", "'de'", "'en'"])}, ${r.one(["null", "3"])},
      1 + n % 4, 1, n % 3 = 0, n % 2 = 0 from video_channel c, generate_series(1, 3) n where c.id % 4 = ${r.below(4)}`,
  () => (sql) => compactVideoCounts(sql)(50),
  () => compactVideoTotals
]

const blocks: ReadonlyArray<(random: Chance) => Step> = [
  (r) =>
    `insert into account_block (account_id, target_account_id) select ${1 + r.below(2)}, ${3 + r.below(8)} on conflict do nothing`,
  (r) => `delete from account_block where target_account_id = ${3 + r.below(8)}`,
  (r) =>
    `insert into server_block (account_id, server_id) select ${1 + r.below(2)}, id from server where id % 2 = ${r.below(2)} on conflict do nothing`,
  (r) => `delete from server_block where account_id = ${1 + r.below(2)}`
]

const anyQuery = (random: Chance): Partial<VideoListQuery> => {
  const { below, one } = random
  const some = <A>(value: () => A): { readonly value?: A } => (below(3) === 0 ? { value: value() } : {})
  const add = <K extends keyof VideoListQuery>(key: K, value: () => VideoListQuery[K]) =>
    Object.fromEntries(Object.values(some(value)).map((given) => [key, given])) as Partial<VideoListQuery>
  return {
    ...add("nsfw", () => one(["true", "false", "both"] as const)),
    ...add("nsfwFlagsIncluded", () => below(8)),
    ...add("nsfwFlagsExcluded", () => below(8)),
    ...add("nsfwFlagsListed", () => below(8)),
    ...add("isLocal", () => one([true, false])),
    ...add("isLive", () => one([true, false])),
    ...add("hasHLSFiles", () => one([true, false])),
    ...add("hasWebVideoFiles", () => one([true, false])),
    ...add("categoryOneOf", () => [one([0, 1, 3, 5]), below(18)]),
    ...add("licenceOneOf", () => [below(8)]),
    ...add("languageOneOf", () => [one(["en", "fr", "_unknown"]), one(["de", "ja", "_unknown", "xx"])])
  }
}

layer(Services, { timeout: 60_000 })("counts of the kinds of videos", (it) => {
  /** Kinds whose kept number is not that of the videos. */
  const wrongKinds = Effect.gen(function* () {
    const sql = yield* SqlClient
    const truth = /select [^]*$/.exec(countKinds)![0]
    const wrong = yield* sql.unsafe<{ kinds: number }>(`
      select count(*) as kinds from (
        select language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, sum(n) from (
          select language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, count as n
            from video_count
          union all select * from video_count_change
          union all select language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, -n
            from (${truth.replace("count(*)", "count(*)::int as n")}) t
        ) c group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(n) <> 0
      ) w`)
    return wrong[0]!.kinds
  })

  const prepared = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* prepareReadModels("http://localhost:9000")
    yield* seedVideos({ videos: 200, accounts: 10 })
    yield* sql`insert into server (host) values ('one.example'), ('two.example')`
    yield* sql`update actor set server_id = s.id, private_key = null from server s
      where actor.id % 3 = 0 and s.host = case when actor.id % 2 = 0 then 'one.example' else 'two.example' end`
    yield* sql`update video set account_id = account_id`
  })

  it.effect(
    "are those of the videos after whatever was done, also by several at once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* prepared
        const worker = (seed: number) =>
          Effect.gen(function* () {
            const random = chance(seed)
            for (let n = 0; n < 30; n++) {
              const statements = [random.one(changes)(random), random.one(changes)(random)]
              const work = sql.withTransaction(
                Effect.gen(function* () {
                  for (const step of statements) yield* run(sql, step)
                  if (random.below(5) === 0) return yield* Effect.fail("taken back" as const)
                })
              )
              // Two that add up at once may each want what the other holds: the server ends one of them, which tries again.
              yield* work.pipe(
                Effect.retry({ while: (error) => isSqlError(error) && sqlState(error) === "40P01", times: 10 }),
                Effect.catch((error) => (error === "taken back" ? Effect.void : Effect.die(error)))
              )
            }
          })
        yield* Effect.all([worker(1), worker(2), worker(3)], { concurrency: "unbounded" })
        assert.strictEqual(yield* wrongKinds, 0)
        while ((yield* compactVideoCounts(sql)(100)) > 0);
        assert.strictEqual(yield* wrongKinds, 0)
        const none = yield* sql<{ n: number }>`select count(*) as n from video_count where count <= 0`
        assert.strictEqual(none[0]!.n, 0)
        const all = yield* sql<{ n: number }>`select count(*) as n from video where visible > 0`
        assert.isAbove(all[0]!.n, 30)
      }),
    120_000
  )

  it.effect(
    "tell what counting each list would, for whoever asks, as soon as something has changed",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const slow = yield* SlowSql
        const known = makeKnownCounts(sql, slow, yield* Effect.scope)
        const random = chance(11)
        const viewer: VideoViewer = { userId: 2, accountId: 2 }
        let compared = 0
        for (let n = 0; n < 120; n++) {
          yield* Effect.ignore(run(sql, random.one(n % 3 === 0 ? blocks : changes)(random)))
          const query: VideoListQuery = { ...toVideoListQuery({}), ...anyQuery(random) }
          const reader = random.below(2) === 0 ? viewer : undefined
          const blockerIds = reader === undefined ? [1] : [1, 2]
          const listing = { query, viewer: reader, scope: undefined, blockerIds, facts: {} }
          const { text, values } = countStatement(listing)
          const counted = (yield* sql.unsafe<{ total: number }>(text, values))[0]!.total
          const told = kindCounter(query, reader, undefined, {})!(yield* known(blockerIds))
          assert.strictEqual(told, counted, JSON.stringify([query, blockerIds]))
          if (counted > 0) compared++
        }
        assert.isAbove(compared, 20)
      }),
    120_000
  )

  it.effect("what was watched is left out of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lists = yield* VideoLists
      yield* sql`update video set privacy = 1, state = 1, nsfw = false, language = 'en'`
      const viewers = yield* sql<VideoViewer>`
        select user_id as "userId", id as "accountId" from account where user_id is not null order by id limit 1`
      const viewer = viewers[0]!
      yield* sql`insert into user_video_history (user_id, video_id, current_time_seconds)
        select ${viewer.userId}, id, 1 from video where id % 3 = 0`
      const query: VideoListQuery = {
        ...toVideoListQuery({}),
        excludeAlreadyWatched: true,
        languageOneOf: ["en"],
        count: 100
      }
      const { data, total } = JSON.parse(yield* lists.list(query, viewer))
      let seen = data.length
      for (let start = 100; start < total + 100; start += 100) {
        seen += JSON.parse(yield* lists.list({ ...query, start }, viewer)).data.length
      }
      assert.strictEqual(total, seen)
      assert.isAbove(total, 50)
    })
  )
})
