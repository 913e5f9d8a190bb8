import type { FlvTag, MediaTag } from "@kinora/ingest/flv/FlvTag"

/** Media that shows what a publisher sends, in milliseconds. */
const lookedAt = 800
/** A stream with sound alone says so by sending no picture for this long. */
const soundAloneAfter = 2000
const maxTags = 4000

const isFrame = (tag: FlvTag, kind: "audio" | "video"): tag is MediaTag => tag.kind === kind && !tag.sequenceHeader

/**
 * Collects the first tags of a publisher until they show what it sends: pictures from a keyframe on, and sound if there is any.
 * What comes before the first keyframe cannot be decoded and is left out.
 */
export class Beginning {
  readonly tags: Array<FlvTag> = []
  #first: number | undefined
  #keyframeAt: number | undefined
  #hasSound = false

  /** Takes a tag. True once enough is known. */
  add(tag: FlvTag): boolean {
    this.#first ??= tag.timestamp
    if (isFrame(tag, "audio")) this.#hasSound = true
    if (isFrame(tag, "video") && this.#keyframeAt === undefined) {
      if (!tag.keyframe) return this.tags.length >= maxTags
      this.#keyframeAt = tag.timestamp
    }
    this.tags.push(tag)
    const span = tag.timestamp - (this.#keyframeAt ?? this.#first)
    if (this.tags.length >= maxTags) return true
    return this.#keyframeAt === undefined ? this.#hasSound && span >= soundAloneAfter : span >= lookedAt
  }

  get hasPicture(): boolean {
    return this.#keyframeAt !== undefined
  }

  get hasSound(): boolean {
    return this.#hasSound
  }
}
