import { assert, describe, it } from "@effect/vitest"
import type { MatroskaFrame } from "@kinora/ingest/matroska/MatroskaWriter"
import { Effect } from "effect"
import { makeMediaQueue } from "../../../src/live/ingest/MediaQueue.ts"

const frame = (kind: "video" | "audio", time: number, keyframe: boolean, bytes: number): MatroskaFrame => ({
  kind,
  time,
  keyframe,
  bytes: new Uint8Array(bytes)
})

const megabyte = 1024 * 1024

describe("the queue before the encoder", () => {
  it.effect("gives everything in order, and ends", () =>
    Effect.gen(function* () {
      const queue = yield* makeMediaQueue
      const frames = [frame("video", 0, true, 10), frame("audio", 1, true, 10), frame("video", 2, false, 10)]
      queue.begin({ audio: true })
      for (const one of frames) queue.frame(one)
      queue.end()
      assert.deepEqual(yield* queue.take, { tracks: { audio: true } })
      for (const one of frames) assert.deepEqual(yield* queue.take, { frame: one })
      assert.strictEqual((yield* Effect.flip(queue.take))._tag, "Done")
    })
  )

  it.effect(
    "leaves out pictures up to the next keyframe when more than 16 MiB wait, and keeps the sound that fits",
    () =>
      Effect.gen(function* () {
        const queue = yield* makeMediaQueue
        for (let time = 0; time < 20; time++) queue.frame(frame("video", time, time === 0, megabyte))
        for (let taken = 0; taken < 16; taken++) yield* queue.take
        queue.frame(frame("video", 20, false, 10))
        queue.frame(frame("audio", 21, true, 10))
        queue.frame(frame("video", 22, true, 10))
        queue.frame(frame("video", 23, false, 10))
        queue.end()
        const times: Array<number> = []
        for (let count = 0; count < 3; count++) {
          const media = yield* queue.take
          if ("frame" in media) times.push(media.frame.time)
        }
        assert.deepEqual(times, [21, 22, 23])
        assert.strictEqual((yield* Effect.flip(queue.take))._tag, "Done")
      })
  )
})
