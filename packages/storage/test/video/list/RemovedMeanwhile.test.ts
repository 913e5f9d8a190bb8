import { assert, layer } from "@effect/vitest"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { VideoList } from "@kinora/domain/wire/Video"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { VideoLists } from "../../../src/video/list/VideoLists.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoList))

layer(VideoLists.layer.pipe(Layer.provideMerge(TestDatabase)))("Lists while videos are removed", (it) => {
  it.effect("are whole pages", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lists = yield* VideoLists
      yield* prepareReadModels("http://localhost:9000")
      const { videoIds } = yield* seedVideos({ videos: 300, accounts: 4 })
      // All over the list: one in twenty is on the page.
      const order = Array.from({ length: 250 }, (_, n) => videoIds[(n * 7) % videoIds.length]!)
      const removing = Effect.forEach(order, (id) => sql`delete from video where id = ${id}`)
      const listing = Effect.forever(
        Effect.gen(function* () {
          const { data } = yield* decode(yield* lists.list(toVideoListQuery({})))
          assert.strictEqual(data.length, 15)
        })
      )
      yield* Effect.raceFirst(removing, Effect.all([listing, listing, listing], { concurrency: "unbounded" }))
    })
  )
})
