import { assert, layer } from "@effect/vitest"
import { videoSortColumns } from "@kinora/domain/enums/VideoSort"
import { toVideoListQuery, type VideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { foundStatement, searchStatement } from "../../src/search/VideoSearchStatement.ts"
import { VideoLists } from "../../src/videos/reads/VideoLists.ts"
import { prepareWire } from "../../src/videos/reads/WireSources.ts"
import { seedVideos } from "../support/SeedVideos.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const terms = { match: "'seeded'", titled: "'=seeded'" }

const searching = (query: Partial<VideoListQuery>) => ({
  query: { ...toVideoListQuery({}), ...query },
  viewer: undefined,
  scope: undefined,
  blockerIds: [0]
})

/** Ids on a page, when so many are said to be found. */
const ids = Effect.fnUntraced(function* (query: Partial<VideoListQuery>, total: number) {
  const { text, values } = searchStatement(searching(query), terms, total)
  const rows = yield* (yield* SqlClient).unsafe<{ data: string; items: number }>(text, values)
  const found = (JSON.parse(`[${rows[0]!.data}]`) as ReadonlyArray<{ readonly id: number }>).map(({ id }) => id)
  assert.strictEqual(found.length, rows[0]!.items)
  return found
})

const Services = VideoLists.layer.pipe(Layer.provideMerge(TestDatabase))

layer(Services)("VideoSearchStatement", (it) => {
  it.effect("gives the same page however much is found, for every sort", () =>
    Effect.gen(function* () {
      yield* prepareWire("http://localhost:9000")
      yield* seedVideos({ videos: 620, accounts: 3, files: 1 })
      for (const by of videoSortColumns) {
        for (const descending of [true, false]) {
          const query = { sort: { by, descending }, count: 20, start: 5 }
          assert.deepStrictEqual([by, yield* ids(query, 620)], [by, yield* ids(query, 1_000_000)])
        }
      }
    })
  )

  it.effect("weighs the best and repeats nothing on the pages after them", () =>
    Effect.gen(function* () {
      const seen: Array<number> = []
      for (const start of [0, 100, 200, 300, 400, 450, 550]) {
        const count = start === 400 ? 50 : 100
        seen.push(...(yield* ids({ sort: { by: "match", descending: true }, start, count }, 0)))
      }
      assert.strictEqual(seen.length, 620)
      assert.strictEqual(new Set(seen).size, 620)
      const { text, values } = foundStatement(searching({}), terms)
      assert.deepStrictEqual(yield* (yield* SqlClient).unsafe(text, values), [{ total: 620 }])
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
