import { assert, layer } from "@effect/vitest"
import { videoSortColumns } from "@kinora/domain/enums/VideoSort"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { estimateStatement, type SampleEstimate } from "../../../src/video/search/SampleEstimate.ts"
import {
  foundStatement,
  type FoundVideo,
  searchStatement,
  type SearchWay,
  wayOf
} from "../../../src/video/search/VideoSearchStatement.ts"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const terms = { match: "'seeded'", titled: "'=seeded'" }

const searching = (query: Partial<VideoListQuery>) => ({
  query: { ...toVideoListQuery({}), ...query },
  viewer: undefined,
  scope: undefined,
  blockerIds: [0]
})

const all: SearchWay = { _tag: "All" }

/** Ids on a page, found in this way. */
const ids = Effect.fnUntraced(function* (query: Partial<VideoListQuery>, way: SearchWay) {
  const { text, values } = searchStatement(searching(query), terms, way)
  const rows = yield* (yield* SqlClient).unsafe<FoundVideo>(text, values)
  return rows.map(({ id }) => id)
})

const Services = VideoLists.layer.pipe(Layer.provideMerge(TestDatabase))

layer(Services)("VideoSearchStatement", (it) => {
  it.effect("gives the same page in every way, for every sort", () =>
    Effect.gen(function* () {
      yield* prepareReadModels("http://localhost:9000")
      yield* seedVideos({ videos: 620, accounts: 3, files: 1 })
      for (const by of videoSortColumns) {
        for (const descending of [true, false]) {
          const query = { sort: { by, descending }, count: 20, start: 5 }
          const way: SearchWay =
            by === "match" ? { _tag: "Best", titled: -100, others: undefined, top: 40 } : { _tag: "Walk" }
          assert.deepStrictEqual([by, yield* ids(query, all)], [by, yield* ids(query, way)])
        }
      }
    })
  )

  it.effect("weighs the best and repeats nothing on the pages after them", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      for (const start of [0, 100, 200, 300, 400, 450, 550]) {
        const count = start === 400 ? 50 : 100
        seen.push(...(yield* ids({ sort: { by: "match", descending: true }, start, count }, all)))
      }
      assert.strictEqual(seen.length, 620)
      assert.strictEqual(new Set(seen).size, 620)
      const { text, values } = foundStatement(searching({}), terms)
      assert.deepStrictEqual(yield* (yield* SqlClient).unsafe(text, values), [{ total: 620 }])
    })
  )

  it.effect("reads only the best where the sample tells of more than enough", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const look = Effect.fnUntraced(function* (query: Partial<VideoListQuery>) {
        const { text, values } = estimateStatement(searching(query), terms)
        return (yield* sql.unsafe<SampleEstimate>(text, values))[0]!
      })
      const match = { sort: { by: "match", descending: true }, count: 20 } as const
      const [counted] = yield* sql<{ n: number }>`select count(*)::int as n from video where (id >> 4) & 63 = 0`
      assert.strictEqual((yield* look(match)).found, counted!.n * 64)
      assert.strictEqual((yield* look({ sort: { by: "views", descending: true } })).found, counted!.n * 64)
      assert.deepInclude(yield* look(match), { titled: null, others: null })
      yield* sql`update video_document
        set document = ts_delete(document, '~' || ((id >> 4) & 63)) || array_to_tsvector(array['~0'])`
      const sure = yield* look(match)
      assert.strictEqual(sure.found, 620 * 64)
      const [at] = yield* sql<{ step: number }>`
        select floor(2 * score)::int as step from video_document order by score desc offset 14 limit 1`
      assert.deepInclude(sure, { titled: at!.step, others: null })
      yield* sql`update video_document
        set document = ts_delete(document, '~0') || array_to_tsvector(array['~' || ((id >> 4) & 63)])`

      const query = { ...toVideoListQuery({}), ...match }
      const way = wayOf(query, terms, sure, 40)
      assert.deepStrictEqual(way, { _tag: "Best", titled: at!.step, others: undefined, top: 40 })
      assert.deepStrictEqual(yield* ids(match, way), yield* ids(match, all))
      const by = (start: number, found: number) =>
        wayOf(
          { ...query, sort: { by: "views", descending: true }, start },
          terms,
          { documents: 1_000_000, found, titled: null, others: null },
          0
        )._tag
      assert.deepStrictEqual([by(0, 20_000), by(0, 19_999), by(100, 20_000)], ["Walk", "All", "All"])
    })
  )

  it.effect("keeps the step of the score with the score", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const wrong = sql<{ wrong: number }>`select count(*)::int as wrong from video_document d
        where array(select lexeme from unnest(document) where starts_with(lexeme, '%')) <> array[search_step(score)]`
      assert.deepStrictEqual(yield* wrong, [{ wrong: 0 }])
      yield* sql`update video set views = views * 50 + 1`
      assert.deepStrictEqual(yield* wrong, [{ wrong: 0 }])
      yield* sql`update video set description = 'else', views = 0, published_at = published_at - interval '2 years'`
      assert.deepStrictEqual(yield* wrong, [{ wrong: 0 }])
    })
  )

  it.effect("finds words in a row from the best on, and leaves such rows out", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lists = yield* VideoLists
      yield* sql`update video set name = 'Video seeded ' || id where id % 9 = 0`
      yield* sql`update video set description = 'a seeded video of old', name = 'Something ' || id where id % 9 = 1`
      const rows = yield* sql<{ titled: number; described: number; none: number }>`
        select count(*) filter (where name like 'Seeded video%')::int as titled,
          count(*) filter (where name like 'Something%')::int as described,
          count(*) filter (where name like 'Video seeded%')::int as none from video`
      const { described, none, titled } = rows[0]!
      const found = Effect.fnUntraced(function* (search: string) {
        const names: Array<string> = []
        let told = 0
        for (let start = 0; ; start += 100) {
          const query = {
            ...toVideoListQuery({}),
            sort: { by: "match", descending: true },
            search,
            start,
            count: 100
          } as const
          const { data, total } = JSON.parse(yield* lists.list(query)) as {
            total: number
            data: ReadonlyArray<{ name: string }>
          }
          told = total
          names.push(...data.map(({ name }) => name))
          if (data.length < 100) return { told, names }
        }
      })
      const seeded = yield* found(`"seeded video"`)
      assert.deepStrictEqual([seeded.told, seeded.names.length], [titled + described, titled + described])
      assert.strictEqual(new Set(seeded.names).size, titled + described)
      // The best are weighed; after them come those that have the words in their names, and then the others.
      const isTitled = seeded.names.map((name) => name.startsWith("Seeded"))
      assert.isTrue(isTitled.slice(100, titled).every((has) => has))
      assert.isFalse(isTitled.slice(titled).some((has) => has))
      const without = yield* found(`seeded -"seeded video"`)
      assert.deepStrictEqual([without.told, without.names.length], [none, none])
      assert.isTrue(without.names.every((name) => name.startsWith("Video seeded")))
      assert.strictEqual((yield* found(`"video old seeded"`)).told, 0)
    })
  )

  it.effect("serves the lists that search", () =>
    Effect.gen(function* () {
      const lists = yield* VideoLists
      const page = yield* lists.list({ ...toVideoListQuery({}), search: "number 61", count: 3 })
      const { data, total } = JSON.parse(page) as { total: number; data: ReadonlyArray<{ name: string }> }
      assert.strictEqual(total, 1)
      assert.deepStrictEqual(
        data.map(({ name }) => name),
        ["Seeded video number 61"]
      )
      const skipped = yield* lists.list({ ...toVideoListQuery({}), search: "seeded", count: 0, skipCount: true })
      assert.strictEqual(skipped, `{"data":[]}`)
      const counted = yield* lists.list({ ...toVideoListQuery({}), search: "seeded", count: 0 })
      assert.strictEqual(counted, `{"total":620,"data":[]}`)
    })
  )
})
