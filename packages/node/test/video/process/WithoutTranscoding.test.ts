import { assert, layer, vi } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { clip, oddClip, plainClip, soundClip } from "../upload/Clips.ts"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { filesAfterRemovals, outcome, upload, workOff } from "./Pipeline.ts"

// A busy machine takes longer for the clips of five codecs.
vi.setConfig({ testTimeout: 180_000 })

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

  it.effect("WebM, Ogg, AV1 and pixels that are not square are published as they are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const owner = yield* newUser("webm")
      const shape = ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=2"]
      const sine = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"]
      const vorbis = ["-c:a", "libvorbis"]
      for (const [name, args, extname, width] of [
        ["vp8.webm", [...shape, ...sine, "-c:v", "libvpx", ...vorbis], ".webm", 320],
        ["vp9.webm", [...shape, ...sine, "-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"], ".webm", 320],
        ["theora.ogv", [...shape, ...sine, "-c:v", "libtheora", ...vorbis], ".ogv", 320],
        ["av1.mp4", [...shape, "-c:v", "libsvtav1", "-preset", "12"], ".mp4", 320],
        ["wide.mp4", [...shape, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-vf", "setsar=4/3"], ".mp4", 426]
      ] as const) {
        const video = yield* upload(owner, clip(name, args), { filename: name })
        yield* workOff
        assert.deepInclude(yield* outcome(video.id), { state: 1, thumbnails: 2, storyboards: 1, hls: [], web: [240] })
        const [file] = yield* sql<{ extname: string; width: number; described: boolean }>`
          select extname, width, metadata is not null as described from video_file where video_id = ${video.id}`
        assert.deepStrictEqual([file?.extname, file?.described], [extname, true], name)
        assert.closeTo(file?.width ?? 0, width, 2)
        const [row] = yield* sql<{ ratio: number }>`select aspect_ratio as ratio from video where id = ${video.id}`
        assert.closeTo(row?.ratio ?? 0, width / 240, 0.01)
      }
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
