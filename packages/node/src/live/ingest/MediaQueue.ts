import type { MatroskaFrame, MatroskaTracks } from "@kinora/ingest/matroska/MatroskaWriter"
import { type Cause, Effect, Queue } from "effect"

/** What may wait for the encoder. A publisher by WebRTC cannot be slowed down: what is more is left out. */
const waitingBytes = 16 * 1024 * 1024
const waitingFrames = 4096

/** What a publisher sends: first of what kind, then frame after frame. */
export type Media = { readonly tracks: MatroskaTracks } | { readonly frame: MatroskaFrame }

/** Holds frames until they are taken, and leaves out pictures up to the next keyframe when they are too many. */
export const makeMediaQueue = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<Media, Cause.Done>()
  let bytes = 0
  let frames = 0
  let dropping = false
  return {
    begin: (tracks: MatroskaTracks): void => void Queue.offerUnsafe(queue, { tracks }),
    frame: (frame: MatroskaFrame): void => {
      const isFull = bytes + frame.bytes.length > waitingBytes || frames >= waitingFrames
      if (frame.kind === "video" && frame.keyframe) dropping = false
      if (isFull) dropping = true
      if (isFull || (dropping && frame.kind === "video")) return
      bytes += frame.bytes.length
      frames += 1
      Queue.offerUnsafe(queue, { frame })
    },
    end: (): void => void Queue.endUnsafe(queue),
    /** The next; `Done` after the last. */
    take: Effect.tap(Queue.take(queue), (media) =>
      Effect.sync(() => {
        if (!("frame" in media)) return
        bytes -= media.frame.bytes.length
        frames -= 1
      })
    )
  }
})

export type MediaQueue = Effect.Success<typeof makeMediaQueue>
