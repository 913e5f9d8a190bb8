import type { FlvTag } from "@kinora/ingest/flv/FlvTag"
import { FrameGaps } from "./FrameGaps.ts"

/** What is measured is of the last milliseconds. */
const window = 5000
/** Tags that are remembered at most: far more than arrive within the window. */
const maxTags = 4096

interface Arrived {
  readonly at: number
  readonly bytes: number
  readonly isFrame: boolean
}

/** Measures how a publisher's stream arrives. */
export class StreamHealth {
  readonly #arrived: Array<Arrived> = []
  readonly #gaps = new FrameGaps()
  #keyframe: number | undefined
  #interval: number | undefined

  /** @param now milliseconds since 1970 */
  add(tag: FlvTag, now: number): void {
    const isFrame = tag.kind === "video" && !tag.sequenceHeader
    this.#arrived.push({ at: now, bytes: tag.payload.length, isFrame })
    if (this.#arrived.length > maxTags) this.#arrived.splice(0, maxTags / 2)
    if (!isFrame) return
    this.#gaps.add(tag.timestamp, now)
    if (!tag.keyframe) return
    if (this.#keyframe !== undefined) this.#interval = (tag.timestamp - this.#keyframe) / 1000
    this.#keyframe = tag.timestamp
  }

  /**
   * Bits and frames per second over the last seconds, seconds between the last two keyframes, and frames that the encoder
   * dropped: all of this connection, and those of the last minute.
   */
  measure(now: number) {
    const recent = this.#arrived.filter(({ at }) => now - at < window)
    const seconds = Math.max(1, Math.min(window, now - (recent[0]?.at ?? now)) / 1000)
    const bytes = recent.reduce((sum, tag) => sum + tag.bytes, 0)
    const frames = recent.filter(({ isFrame }) => isFrame).length
    return {
      bitRate: Math.round((bytes * 8) / seconds),
      frameRate: Math.round((frames / seconds) * 10) / 10,
      keyframeInterval: this.#interval ?? null,
      droppedFrames: this.#gaps.total,
      recentlyDroppedFrames: this.#gaps.lately(now)
    }
  }
}
