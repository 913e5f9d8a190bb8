import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { MediaTag } from "../../src/flv/FlvTag.ts"
import { ffmpeg, pictures } from "../support/Ffmpeg.ts"
import { listening, recorder } from "../support/Recorder.ts"

describe("ffmpeg publishes", () => {
  it.live("H.264 and AAC, in order and with their facts", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(2), `rtmp://127.0.0.1:${port}/live/KEY?token=x`])
      assert.strictEqual(run.code, 0, run.log)
      const [recording] = recordings
      assert.strictEqual(recording?.key, "KEY")
      assert.strictEqual(recording?.app, "live")
      assert.strictEqual(recording?.address, "127.0.0.1")
      assert.strictEqual(yield* Deferred.await(recording!.ended), "closed")
      const media = recording!.tags.filter((tag): tag is MediaTag => tag.kind !== "script")
      const video = media.filter((tag) => tag.kind === "video" && !tag.sequenceHeader && tag.payload[1] === 1)
      assert.strictEqual(video.length, 50)
      assert.deepStrictEqual([...new Set(media.map((tag) => tag.codec))].toSorted(), ["aac", "avc"])
      assert.strictEqual(video.filter((tag) => tag.keyframe).length, 2)
      assert.strictEqual(media.filter((tag) => tag.sequenceHeader).length, 2)
      assert.strictEqual(recording!.tags[0]?.kind, "script")
    }).pipe(Effect.scoped)
  )

  it.live("and reads why it is refused", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const run = yield* ffmpeg([...pictures(1), `rtmp://127.0.0.1:${port}/live/wrong`])
      assert.notStrictEqual(run.code, 0)
      assert.include(run.log, "No live has this stream key.")
      assert.strictEqual(recordings.length, 0)
    }).pipe(Effect.scoped)
  )
})
