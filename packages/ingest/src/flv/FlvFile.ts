import { Data, Result } from "effect"
import type { FlvTag } from "./FlvTag.ts"
import { mediaTag, scriptTag } from "./TagBody.ts"
import { Timeline } from "./Timeline.ts"

/** The bytes are no FLV file, or hold what cannot be taken. */
export class FlvMalformed extends Data.TaggedError("FlvMalformed")<{ readonly detail: string }> {
  override get message(): string {
    return `The FLV stream is malformed: ${this.detail}`
  }
}

const fileHeaderLength = 9
/** The size of the tag before, and the header of the tag (FLV 10.1 E.3, E.4.1). */
const tagHeaderLength = 4 + 11
const longestHeader = 64
const usualMaxTag = 16 * 1024 * 1024

const types = { audio: 8, video: 9, script: 18 } as const

/**
 * Reads the tags of an FLV file (FLV 10.1, annex E) however its bytes arrive. Each payload is copied once, into memory of its
 * own. After a failure nothing more can be read. At most one unfinished tag of `maxTag` bytes is kept.
 */
export class FlvFile {
  readonly #maxTag: number
  readonly #timeline = new Timeline()
  /** Of the file before the first tag, then of each tag, with what is skipped before it. */
  readonly #header = Buffer.alloc(longestHeader)
  #filled = 0
  #begun = false
  #skip = 0
  #payload: Buffer | undefined
  #written = 0

  constructor(maxTag = usualMaxTag) {
    this.#maxTag = maxTag
  }

  /** Takes bytes, and returns the tags that they complete. */
  read(bytes: Uint8Array): Result.Result<ReadonlyArray<FlvTag>, FlvMalformed> {
    const tags: Array<FlvTag> = []
    for (let at = 0; at < bytes.length;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at)
        this.#skip -= skipped
        at += skipped
        continue
      }
      at += this.#payload === undefined ? this.#takeHeader(bytes, at) : this.#takePayload(bytes, at)
      const tag = this.#complete()
      if (typeof tag === "string") return Result.fail(new FlvMalformed({ detail: tag }))
      if (tag !== undefined) tags.push(tag)
    }
    return Result.succeed(tags)
  }

  #takeHeader(bytes: Uint8Array, at: number): number {
    const wanted = this.#begun ? tagHeaderLength : fileHeaderLength
    const count = Math.min(wanted - this.#filled, bytes.length - at)
    this.#header.set(bytes.subarray(at, at + count), this.#filled)
    this.#filled += count
    return count
  }

  #takePayload(bytes: Uint8Array, at: number): number {
    const payload = this.#payload as Buffer
    const count = Math.min(payload.length - this.#written, bytes.length - at)
    payload.set(bytes.subarray(at, at + count), this.#written)
    this.#written += count
    return count
  }

  /** The tag that is complete, or why it cannot be taken. Undefined: there is none, or it is of no use. */
  #complete(): FlvTag | string | undefined {
    if (!this.#begun) return this.#filled < fileHeaderLength ? undefined : this.#begin()
    if (this.#filled < tagHeaderLength) return undefined
    if (this.#payload === undefined) {
      const size = this.#header.readUIntBE(5, 3)
      if (size > this.#maxTag) return `a tag of ${size} bytes`
      this.#payload = Buffer.allocUnsafe(size)
    }
    return this.#written < this.#payload.length ? undefined : this.#tag(this.#payload)
  }

  #begin(): string | undefined {
    const header = this.#header
    const offset = header.readUInt32BE(5)
    if (header.toString("latin1", 0, 3) !== "FLV" || header[3] !== 1) return "no header of an FLV file"
    if (offset < fileHeaderLength || offset > longestHeader) return `a header of ${offset} bytes`
    this.#begun = true
    this.#skip = offset - fileHeaderLength
    this.#filled = 0
    return undefined
  }

  #tag(payload: Buffer): FlvTag | string | undefined {
    const header = this.#header
    const type = header[4] as number
    const raw = header.readUIntBE(8, 3) + (header[11] as number) * 0x1_00_00_00
    this.#payload = undefined
    this.#written = 0
    this.#filled = 0
    switch (type) {
      case types.audio:
        return mediaTag("audio", payload, raw, this.#timeline)
      case types.video:
        return mediaTag("video", payload, raw, this.#timeline)
      case types.script:
        return scriptTag(payload, this.#timeline)
      default:
        return `a tag of type ${type}`
    }
  }
}
