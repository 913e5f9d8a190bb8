import { Effect, FileSystem, Option } from "effect"
import { MalformedMp4 } from "../errors/MediaErrors.ts"
import { readHeader } from "./Mp4Boxes.ts"
import { fragmentSeconds } from "./Mp4Fragments.ts"
import { type Mp4Track, readTracks } from "./Mp4Tracks.ts"

/** A `moof` with its `mdat`: bytes from the start of the file, seconds of the leading track. */
export interface Fragment {
  readonly offset: number
  readonly length: number
  readonly seconds: number
}

export interface Mp4Index {
  readonly size: number
  /** `ftyp` and `moov`: from byte 0. */
  readonly initLength: number
  readonly tracks: ReadonlyArray<Mp4Track>
  readonly fragments: ReadonlyArray<Fragment>
}

/** Larger boxes do not occur in our own files. */
const maxBox = 64 * 1024 ** 2

/**
 * Offsets and lengths in a fragmented MP4 that our own muxer wrote. Reads headers and indexes only, never the samples.
 */
export const indexFile = Effect.fn("indexFile")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "r" })
  const size = Number((yield* file.stat).size)
  const malformed = (detail: string) => new MalformedMp4({ detail })
  const read = Effect.fnUntraced(function* (offset: number, length: number) {
    const bytes = yield* file.readAlloc(length, { position: BigInt(offset) })
    return Option.getOrElse(bytes, () => new Uint8Array(0))
  })

  let tracks: ReadonlyArray<Mp4Track> = []
  let initLength = 0
  let open: { readonly offset: number; readonly seconds: number } | undefined
  const fragments: Array<Fragment> = []
  let at = 0
  while (at < size) {
    const header = readHeader(yield* read(at, 16), 0, size - at)
    if (header === undefined || at + header.end > size) return yield* malformed(`broken box at ${at}`)
    if (header.type === "moov" || header.type === "moof") {
      if (header.end > maxBox) return yield* malformed(`${header.type} of ${header.end} bytes`)
      const bytes = yield* read(at, header.end)
      if (header.type === "moov") {
        tracks = readTracks(bytes, header)
        initLength = at + header.end
      } else {
        const leading = tracks.find((track) => track.kind === "video") ?? tracks[0]
        if (leading === undefined) return yield* malformed("a fragment before any track")
        open = { offset: at, seconds: fragmentSeconds(bytes, header, leading) }
      }
    }
    if (header.type === "mdat" && open !== undefined) {
      fragments.push({ ...open, length: at + header.end - open.offset })
      open = undefined
    }
    at += header.end
  }
  if (tracks.length === 0 || fragments.length === 0) return yield* malformed("no tracks or no fragments")
  return { size, initLength, tracks, fragments } satisfies Mp4Index
}, Effect.scoped)

/**
 * Joins fragments into segments of at least `seconds` (the last may be shorter). A fragment always begins with a
 * keyframe. Fragments in which the leading track has no samples join the segment before.
 */
export const segmentsOf = (fragments: ReadonlyArray<Fragment>, seconds: number): ReadonlyArray<Fragment> => {
  const segments: Array<Fragment> = []
  for (const fragment of fragments) {
    const last = segments.at(-1)
    if (last !== undefined && (last.seconds < seconds - 0.1 || fragment.seconds === 0)) {
      segments[segments.length - 1] = {
        offset: last.offset,
        length: last.length + fragment.length,
        seconds: last.seconds + fragment.seconds
      }
    } else segments.push(fragment)
  }
  return segments
}
