import { MalformedMp4 } from "../errors/MediaErrors.ts"
import type { ReadFragment } from "./FragmentReader.ts"

/** Some fragments of a segment, as players ask for them before it is complete. */
export interface CutPart {
  readonly kind: "part"
  /** The segment that it belongs to, and its own number in the run; both count from 0. */
  readonly segment: number
  readonly number: number
  readonly seconds: number
  /** Whether decoding can start in it. */
  readonly independent: boolean
  readonly bytes: Uint8Array
}

/** A segment that is complete. */
export interface CutSegment {
  readonly kind: "segment"
  readonly number: number
  readonly seconds: number
  readonly bytes: ReadonlyArray<Uint8Array>
}

/** A keyframe a frame before the full length begins the next segment. Seconds. */
const early = 0.1
/** Bytes of sound that wait for a picture. */
const mostWaiting = 16 * 1024 ** 2

/**
 * Cuts fragments of one version into segments. A segment ends before the first keyframe in another interval of `seconds`, so that
 * versions with the same keyframes are cut alike, whatever was cut before.
 */
export class SegmentCutter {
  readonly #length: number
  readonly #inParts: boolean
  #origin: number | undefined
  #segment = 0
  #part = 0
  #open: { readonly start: number; end: number; readonly bytes: Array<Uint8Array> } | undefined
  /** Fragments without pictures: they go with the next that has some. */
  #waiting: Array<Uint8Array> = []
  #waitingBytes = 0

  /**
   * @param length the least seconds of a segment
   * @param inParts whether fragments are parts. Otherwise each begins at a keyframe: the next one need not be awaited to know
   *   that a segment is complete.
   */
  constructor(length: number, inParts: boolean) {
    this.#length = length
    this.#inParts = inParts
  }

  /**
   * Takes the next fragment. Gives what is complete with it.
   *
   * @throws MalformedMp4 when pictures stop while the sound goes on
   */
  add({ bytes, independent, seconds, start }: ReadFragment): ReadonlyArray<CutPart | CutSegment> {
    if (start === undefined) {
      this.#waiting.push(bytes)
      this.#waitingBytes += bytes.length
      if (this.#waitingBytes > mostWaiting) throw new MalformedMp4({ detail: "the pictures stopped" })
      return []
    }
    this.#origin ??= start
    const cut: Array<CutPart | CutSegment> = []
    if (independent && this.#isOver(start)) cut.push(...this.#close(start))
    const whole = [...this.#waiting, bytes]
    this.#waiting = []
    this.#waitingBytes = 0
    this.#open ??= { start, end: start, bytes: [] }
    this.#open.end = start + seconds
    this.#open.bytes.push(...whole)
    if (this.#inParts) {
      cut.push({
        ...{ kind: "part", segment: this.#segment, number: this.#part++, seconds, independent },
        bytes: whole.length === 1 ? bytes : Buffer.concat(whole)
      })
    } else if (this.#isOver(start + seconds)) cut.push(...this.#close(start + seconds))
    return cut
  }

  /** Gives what is left: nothing follows. */
  end(): ReadonlyArray<CutSegment> {
    if (this.#open === undefined) return []
    this.#open.bytes.push(...this.#waiting)
    this.#waiting = []
    return this.#close(this.#open.end)
  }

  #interval(at: number): number {
    return Math.floor((at - (this.#origin ?? 0) + early) / this.#length)
  }

  #isOver(at: number): boolean {
    return this.#open !== undefined && this.#interval(at) > this.#interval(this.#open.start)
  }

  #close(at: number): ReadonlyArray<CutSegment> {
    if (this.#open === undefined) return []
    const { bytes, start } = this.#open
    this.#open = undefined
    return [{ kind: "segment", number: this.#segment++, seconds: Math.max(0.001, at - start), bytes }]
  }
}
