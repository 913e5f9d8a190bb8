import { assert, layer } from "@effect/vitest"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { publishesAtOnce } from "../../../src/app/ProcessingLayer.ts"
import { dyingStore, filesAfterRemovals, outcome, upload, workOff } from "../process/Pipeline.ts"
import { oddClip, plainClip, soundClip } from "./Clips.ts"
import { filesLeft, newUser, uploadNode } from "./UploadNode.ts"

/** Whether the video was published in the transaction that made it: both instants are that transaction's. */
const publishedWithCreation = Effect.fn(function* (videoId: number) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ at: boolean }>`select published_at = created_at as at from video where id = ${videoId}`
  return row!.at
})

layer(uploadNode({ atOnce: publishesAtOnce }), { excludeTestServices: true, timeout: 120_000 })(
  "the first files",
  (it) => {
    it.effect("are there with the video, before any job ran, where browsers play the source as it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("quick")
        const video = yield* upload(owner, plainClip())
        const first = yield* outcome(video.id)
        assert.deepInclude(first, { state: 1, thumbnails: 2, web: [240], hls: [240] })
        assert.isTrue(yield* publishedWithCreation(video.id))
        const names = yield* sql<{ name: string }>`select filename as name from video_file where video_id = ${video.id}`
        assert.include(yield* filesLeft, `web_videos/${names[0]!.name}`)
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), {
          state: 1,
          thumbnails: 2,
          storyboards: 1,
          web: [240],
          hls: [240]
        })
        assert.lengthOf(yield* sql`select 1 from job where video_id = ${video.id} and state <> 'completed'`, 0)
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      })
    )

    it.effect("are there where the user waits for the ladder, and the video is not published before", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const owner = yield* newUser("waiting")
        const files = { thumbnails: 2, web: [240], hls: [240] }
        const video = yield* upload(owner, plainClip(), { waitTranscoding: true })
        assert.deepInclude(yield* outcome(video.id), { state: 2, ...files })
        const failing = yield* upload(owner, plainClip(), { waitTranscoding: true })
        yield* sql`
          update job set type = 'video-transcoding', payload = '{}', max_attempts = 1 where video_id = ${failing.id}`
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1, ...files })
        assert.isFalse(yield* publishedWithCreation(video.id))
        assert.deepInclude(yield* outcome(failing.id), { state: 7, ...files })
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      })
    )

    it.effect("wait for the ladder where browsers do not play the source", () =>
      Effect.gen(function* () {
        const owner = yield* newUser("slow")
        for (const path of [oddClip(), soundClip()]) {
          const video = yield* upload(owner, path)
          assert.deepInclude(yield* outcome(video.id), { state: 2, web: [], hls: [] })
          yield* workOff
          assert.strictEqual((yield* outcome(video.id)).state, 1)
        }
        const { expected, present } = yield* filesAfterRemovals
        assert.deepStrictEqual(present, expected)
      })
    )
  }
)

/** The third of the files cannot be stored. */
const failing = Layer.fresh(publishesAtOnce).pipe(
  Layer.provide(
    Layer.effect(
      ObjectStore,
      Effect.map(ObjectStore, (store) => dyingStore(store, 3))
    )
  )
)

layer(uploadNode({ atOnce: failing }), { excludeTestServices: true, timeout: 120_000 })("first files", (it) => {
  it.effect("that cannot be stored are made by the job, and nothing of the attempt stays", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("unlucky")
      const video = yield* upload(owner, plainClip())
      assert.deepInclude(yield* outcome(video.id), { state: 2, thumbnails: 0, web: [], hls: [] })
      yield* workOff
      assert.deepInclude(yield* outcome(video.id), { state: 1, thumbnails: 2, web: [240], hls: [240] })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )
})

layer(uploadNode({ atOnce: publishesAtOnce, uploads: { transcoding: false }, processing: { transcoding: false } }), {
  excludeTestServices: true,
  timeout: 120_000
})("the first files without transcoding", (it) => {
  it.effect("are there with the video, and the source is dropped afterwards", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("plain")
      const video = yield* upload(owner, plainClip(), { waitTranscoding: true })
      assert.deepInclude(yield* outcome(video.id), { state: 1, thumbnails: 2, web: [240], hls: [] })
      assert.isTrue(yield* publishedWithCreation(video.id))
      yield* workOff
      assert.deepInclude(yield* outcome(video.id), { source: null, storyboards: 1 })
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )
})
