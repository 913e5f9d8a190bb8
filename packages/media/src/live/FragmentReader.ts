import { MalformedMp4 } from "../errors/MediaErrors.ts"
import { fragmentSeconds, trackStart } from "../hls/Mp4Fragments.ts"
import { type Box, readHeader } from "../hls/Mp4Boxes.ts"
import { type Mp4Track, readTracks } from "../hls/Mp4Tracks.ts"

const mebibyte = 1024 ** 2
/** The largest boxes that are taken, in bytes. Media of a group of pictures is the largest. */
const largest: Readonly<Record<string, number>> = { moov: mebibyte, moof: 4 * mebibyte, mdat: 256 * mebibyte }
const largestOther = mebibyte
const longHeader = 16

/** What comes first: the bytes that decoding starts with, and the tracks that they declare. */
export interface ReadInit {
  readonly kind: "init"
  readonly bytes: Uint8Array
  readonly codecs: ReadonlyArray<string>
}

/** A `moof` with its `mdat`. */
export interface ReadFragment {
  readonly kind: "fragment"
  readonly bytes: Uint8Array
  /** Where its leading track goes on, in seconds; undefined when it has nothing of it. */
  readonly start: number | undefined
  /** Of its leading track. */
  readonly seconds: number
  /** Whether decoding can start here. */
  readonly independent: boolean
}

/** Reads a field behind the end of the box: `DataView` says it by throwing. */
const malformed = (error: unknown): never => {
  if (error instanceof RangeError) throw new MalformedMp4({ detail: "a box that is shorter than its fields" })
  throw error
}

/**
 * Reads fragmented MP4 (ISO/IEC 14496-12 §8.8) as it arrives: `ftyp` and `moov`, then one `moof` with its `mdat` after
 * another. Other boxes between them are left out. The leading track is the first with pictures, else the first.
 */
export class FragmentReader {
  #held: Array<Uint8Array> = []
  #length = 0
  #tracks: ReadonlyArray<Mp4Track> | undefined
  #beginning: Array<Uint8Array> = []
  #moof: { readonly bytes: Uint8Array; readonly box: Box } | undefined

  /**
   * Takes bytes. Gives what is complete now.
   *
   * @throws MalformedMp4 when the bytes are no such stream, or a box is larger than it may be
   */
  push(bytes: Uint8Array): ReadonlyArray<ReadInit | ReadFragment> {
    this.#held.push(bytes)
    this.#length += bytes.length
    const found: Array<ReadInit | ReadFragment> = []
    for (let box = this.#next(); box !== undefined; box = this.#next()) {
      try {
        const read = this.#take(box)
        if (read !== undefined) found.push(read)
      } catch (error) {
        malformed(error)
      }
    }
    return found
  }

  /** The first box that is there as a whole. */
  #next(): { readonly bytes: Uint8Array; readonly box: Box } | undefined {
    if (this.#length < 8) return undefined
    const box = readHeader(this.#front(longHeader), 0, 0)
    if (box === undefined && this.#length < longHeader) return undefined
    if (box === undefined || box.end < box.content) throw new MalformedMp4({ detail: "a box of an impossible size" })
    if (box.end > (largest[box.type] ?? largestOther)) {
      throw new MalformedMp4({ detail: `a box of ${box.end} bytes (${JSON.stringify(box.type)})` })
    }
    return this.#length < box.end ? undefined : { bytes: this.#shift(box.end), box }
  }

  /** The first bytes, as many as there are up to `count`. */
  #front(count: number): Uint8Array {
    const [first] = this.#held
    if (first !== undefined && first.length >= count) return first.subarray(0, count)
    const pieces: Array<Uint8Array> = []
    let length = 0
    for (const piece of this.#held) {
      if (length >= count) break
      pieces.push(piece)
      length += piece.length
    }
    return Buffer.concat(pieces).subarray(0, count)
  }

  #shift(count: number): Uint8Array {
    const pieces: Array<Uint8Array> = []
    let missing = count
    let at = 0
    for (const piece of this.#held) {
      if (missing === 0) break
      if (piece.length > missing) {
        pieces.push(piece.subarray(0, missing))
        this.#held[at] = piece.subarray(missing)
        missing = 0
        break
      }
      pieces.push(piece)
      missing -= piece.length
      at += 1
    }
    this.#held = this.#held.slice(at)
    this.#length -= count
    return Buffer.concat(pieces)
  }

  #take({ box, bytes }: { readonly bytes: Uint8Array; readonly box: Box }): ReadInit | ReadFragment | undefined {
    switch (box.type) {
      case "ftyp":
        if (this.#tracks === undefined) this.#beginning = [bytes]
        return undefined
      case "moov":
        return this.#takeInit(bytes, box)
      case "moof":
        this.#moof = { bytes, box }
        return undefined
      case "mdat":
        return this.#takeFragment(bytes)
      default:
        return undefined
    }
  }

  #takeInit(bytes: Uint8Array, box: Box): ReadInit {
    if (this.#tracks !== undefined) throw new MalformedMp4({ detail: "a second beginning" })
    this.#tracks = readTracks(bytes, box)
    if (this.#tracks.length === 0) throw new MalformedMp4({ detail: "a beginning without tracks" })
    const codecs = this.#tracks.map(({ codec }) => codec)
    return { kind: "init", bytes: Buffer.concat([...this.#beginning, bytes]), codecs }
  }

  #takeFragment(bytes: Uint8Array): ReadFragment {
    const moof = this.#moof
    const leading = this.#tracks?.find(({ kind }) => kind === "video") ?? this.#tracks?.[0]
    if (moof === undefined || leading === undefined) throw new MalformedMp4({ detail: "media without an index" })
    this.#moof = undefined
    const start = trackStart(moof.bytes, moof.box, leading)
    return {
      kind: "fragment",
      bytes: Buffer.concat([moof.bytes, bytes]),
      start: start?.seconds,
      seconds: start === undefined ? 0 : fragmentSeconds(moof.bytes, moof.box, leading),
      independent: start?.isSync ?? false
    }
  }
}
