import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { oddClip, plainClip, soundClip } from "../upload/Clips.ts"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { filesAfterRemovals, outcome, upload, workOff } from "./Pipeline.ts"

const settings = {
  uploads: { transcoding: false, additionalExtensions: false, audioFiles: false },
  processing: { transcoding: false, keepOriginal: true }
}

layer(uploadNode(settings), { excludeTestServices: true, timeout: 60_000 })("without transcoding", (it) => {
  it.effect("what browsers play is published as it is, and kept when that is wanted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("plain")
      const video = yield* upload(owner, plainClip())
      yield* workOff
      const { hls, source, state, thumbnails, web } = yield* outcome(video.id)
      assert.deepStrictEqual({ hls, state, thumbnails, web }, { hls: [], state: 1, thumbnails: 2, web: [240] })
      assert.match(source ?? "", /\.mp4$/)
      assert.lengthOf(yield* sql`select 1 from job where state <> 'completed'`, 0)
      const { expected, present } = yield* filesAfterRemovals
      assert.deepStrictEqual(present, expected)
    })
  )

  it.effect("everything else is refused before it becomes a video", () =>
    Effect.gen(function* () {
      const owner = yield* newUser("odd")
      const before = yield* filesAfterRemovals
      for (const clip of [oddClip(), soundClip()]) {
        const error = yield* Effect.flip(upload(owner, clip, { filename: "clip.mp4" }))
        assert.strictEqual((error as { readonly _tag: string })._tag, "UnsupportedMediaFile")
      }
      assert.deepStrictEqual(yield* filesAfterRemovals, before)
    })
  )
})
