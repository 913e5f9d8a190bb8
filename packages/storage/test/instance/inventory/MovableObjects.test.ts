import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MovableObjects, type MoveQuery } from "../../../src/instance/inventory/MovableObjects.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = MovableObjects.layer.pipe(Layer.provideMerge(TestDatabase))

const list = (query: Partial<MoveQuery>) =>
  Effect.gen(function* () {
    const found = yield* Stream.runCollect(
      (yield* MovableObjects).list({
        to: "s3",
        kinds: ["original_video_files", "thumbnails", "user_exports"],
        videos: [],
        ...query
      })
    )
    return [...found].map(({ name }) => name)
  })

layer(services)("objects to move", (it) => {
  it.effect(
    "are those of the kinds that are elsewhere, of all videos or of some, and no upload that is processed",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* seedVideos({ videos: 3, accounts: 1 })
        yield* sql`delete from thumbnail`
        const videos = yield* sql<{ id: number; uuid: string }>`select id, uuid::text as uuid from video order by id`
        const [first, second, third] = videos
        for (const [at, { id }] of videos.entries()) {
          yield* sql`insert into thumbnail (video_id, type, filename, width, height) values (${id}, 1, ${`${at}.jpg`}, 1, 1)`
          yield* sql`insert into video_source (video_id, input_filename, filename) values (${id}, 'a.mp4', ${`${at}.mp4`})`
        }
        yield* sql`insert into s3_object (bucket, name, size) values ('thumbnails', '1.jpg', 1)`
        yield* sql`insert into job (type, payload, video_id) values ('video-transcoding', '{}', ${third!.id})`

        assert.deepStrictEqual(yield* list({}), ["0.mp4", "1.mp4", "0.jpg", "2.jpg"])
        assert.deepStrictEqual(yield* list({ to: "disk" }), ["1.jpg"])
        assert.deepStrictEqual(yield* list({ kinds: ["thumbnails"] }), ["0.jpg", "2.jpg"])
        assert.deepStrictEqual(yield* list({ videos: [first!.uuid] }), ["0.mp4", "0.jpg"])
        assert.deepStrictEqual(yield* list({ to: "disk", videos: [first!.uuid, second!.uuid] }), ["1.jpg"])
        yield* sql`update job set state = 'completed'`
        assert.include(yield* list({}), "2.mp4")
        assert.strictEqual(yield* (yield* MovableObjects).countInS3, 1)
      })
  )

  it.effect("are moved by one process at a time", () =>
    Effect.gen(function* () {
      const { hold } = yield* MovableObjects
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* hold
          assert.strictEqual((yield* Effect.flip(Effect.scoped(hold)))._tag, "MovesHeld")
        })
      )
      yield* Effect.scoped(hold)
    })
  )
})
