import { Effect, PlatformError } from "effect"
import { type FileHandle, open } from "node:fs/promises"
import { MalformedMp4 } from "../errors/MediaErrors.ts"
import { children } from "./Mp4Boxes.ts"
import type { Mp4Samples } from "./Mp4Samples.ts"

/** Frames of one file. */
export interface MergedPiece {
  /** Absolute path. */
  readonly path: string
  readonly track: Mp4Samples
}

/** A track to write: consecutive pieces. Parameter sets and time scale are those of the first. */
export interface MergedTrack {
  readonly pieces: ReadonlyArray<MergedPiece>
}

const u16 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2))
  return bytes
}
const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4))
  return bytes
}
const u64 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => bytes.writeBigUInt64BE(BigInt(value), index * 8))
  return bytes
}

const box = (type: string, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, 8)
  return Buffer.concat([u32(length), Buffer.from(type, "latin1"), ...content])
}
const full = (type: string, version: number, flags: number, ...content: ReadonlyArray<Uint8Array>): Buffer =>
  box(type, u32(((version << 24) | flags) >>> 0), ...content)

/** The identity matrix. */
const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

/** Bytes before the boxes of a video sample entry. */
const entryFields = 8 + 78

/** A sample entry without the bit rates of its piece. */
const entryOf = ({ entry, type }: Mp4Samples): Buffer => {
  const kept = children(entry, entryFields, entry.length)
    .filter((one) => one.type !== "btrt")
    .map(({ end, start }) => entry.subarray(start, end))
  return box(type, entry.subarray(8, entryFields), ...kept)
}

/** Run-length encoding: equal neighbours with their count. */
const runs = (values: Iterable<number>): Buffer => {
  const flat: Array<number> = []
  for (const value of values) {
    if (flat.length > 0 && flat.at(-1) === value) flat[flat.length - 2]!++
    else flat.push(1, value)
  }
  return Buffer.concat([u32(flat.length / 2), numbers(flat)])
}

const numbers = (values: ArrayLike<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (let index = 0; index < values.length; index++) bytes.writeUInt32BE(values[index]! >>> 0, index * 4)
  return bytes
}

/** A track with contiguous frames, one chunk per piece, from these offsets on. `clock`: time scale of the movie. */
const trackBox = (id: number, clock: number, { pieces }: MergedTrack, offsets: ReadonlyArray<number>): Buffer => {
  const [{ track: first }] = pieces as readonly [MergedPiece, ...Array<MergedPiece>]
  const { delta, height, timescale, width } = first
  const tracks = pieces.map(({ track }) => track)
  const count = tracks.reduce((sum, { sizes }) => sum + sizes.length, 0)
  const duration = count * delta
  const shown = Math.round((duration * clock) / timescale)
  // Every frame is decoded before it is shown: by the longest delay that any of them needs.
  let delay = 0
  for (const { places } of tracks) places.forEach((place, index) => (delay = Math.max(delay, index - place)))
  const starts: Array<number> = []
  let at = 0
  for (const { sizes } of tracks) {
    starts.push(at)
    at += sizes.length
  }
  const shifts = function* () {
    for (const { places } of tracks) {
      for (let index = 0; index < places.length; index++) yield (places[index]! - index + delay) * delta
    }
  }
  const keyframes = tracks.flatMap((track, piece) => track.keyframes.map((index) => starts[piece]! + index + 1))
  const tables = box(
    "stbl",
    full("stsd", 0, 0, u32(1), entryOf(first)),
    full("stts", 0, 0, u32(1, count, delta)),
    ...(delay === 0 ? [] : [full("ctts", 0, 0, runs(shifts()))]),
    full("stss", 0, 0, u32(keyframes.length), numbers(keyframes)),
    full("stsc", 0, 0, u32(tracks.length), numbers(tracks.flatMap(({ sizes }, index) => [index + 1, sizes.length, 1]))),
    full("stsz", 0, 0, u32(0, count), ...tracks.map(({ sizes }) => numbers(sizes))),
    full("co64", 0, 0, u32(offsets.length), u64(...offsets))
  )
  const media = box(
    "mdia",
    full("mdhd", 1, 0, u64(0, 0), u32(timescale), u64(duration), u16(0x55c4, 0)),
    full("hdlr", 0, 0, u32(0), Buffer.from("vide"), u32(0, 0, 0), Buffer.from("pictures\0")),
    box(
      "minf",
      full("vmhd", 0, 1, u16(0, 0, 0, 0)),
      box("dinf", full("dref", 0, 0, u32(1), full("url ", 0, 1))),
      tables
    )
  )
  return box(
    "trak",
    full(
      "tkhd",
      1,
      3,
      u64(0, 0),
      u32(id, 0),
      u64(shown),
      u32(0, 0),
      u16(0, 0, 0, 0),
      matrix,
      u32(width << 16, height << 16)
    ),
    box("edts", full("elst", 1, 0, u32(1), u64(shown, delay * delta), u16(1, 0))),
    media
  )
}

const pieceBytes = 4 * 1024 ** 2

const copyBytes = async (from: FileHandle, to: FileHandle, offset: number, length: number, buffer: Buffer) => {
  for (let done = 0; done < length;) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, length - done), offset + done)
    if (bytesRead === 0) throw new Error("pictures beyond the end of the file")
    await to.writeFile(buffer.subarray(0, bytesRead))
    done += bytesRead
  }
}

const head = box("ftyp", Buffer.from("isom"), u32(512), Buffer.from("isomiso2mp41"))

const write = async (path: string, tracks: ReadonlyArray<MergedTrack>, signal: AbortSignal) => {
  const out = await open(path, "w", 0o600)
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    const media = head.length + 16
    await out.writeFile(Buffer.concat([head, u32(1), Buffer.from("mdat"), u64(16)]))
    let at = media
    const offsets: Array<Array<number>> = []
    for (const { pieces } of tracks) {
      const mine: Array<number> = []
      for (const piece of pieces) {
        mine.push(at)
        const from = await open(piece.path, "r")
        try {
          for (const { length, offset } of piece.track.chunks) {
            signal.throwIfAborted()
            await copyBytes(from, out, offset, length, buffer)
            at += length
          }
        } finally {
          await from.close()
        }
      }
      offsets.push(mine)
    }
    const longest = (scale: number) =>
      Math.max(
        ...tracks.map(({ pieces }) => {
          const [first] = pieces
          const count = pieces.reduce((sum, { track }) => sum + track.sizes.length, 0)
          return first === undefined ? 0 : Math.ceil((count * first.track.delta * scale) / first.track.timescale)
        })
      )
    // Durations in edit lists use the time scale of the movie.
    const [main] = tracks[0]!.pieces
    const clock = main!.track.timescale
    const index = box(
      "moov",
      full(
        "mvhd",
        1,
        0,
        u64(0, 0),
        u32(clock),
        u64(longest(clock)),
        u32(0x10000),
        u16(0x100, 0),
        u32(0, 0),
        matrix,
        u32(0, 0, 0, 0, 0, 0, tracks.length + 1)
      ),
      ...tracks.map((track, number) => trackBox(number + 1, clock, track, offsets[number]!))
    )
    await out.writeFile(index)
    await out.write(u64(at - head.length), 0, 8, head.length + 8)
  } finally {
    await out.close()
  }
}

/** A full disk is not an error of the pieces. */
const failure = (error: unknown): MalformedMp4 | PlatformError.PlatformError => {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: "It cannot be written" }
  return code === undefined
    ? new MalformedMp4({ detail: message })
    : PlatformError.systemError({ _tag: "Unknown", module: "Mp4Merge", method: "mergeTracks", description: message })
}

/**
 * Writes frames of several files into one MP4 without re-encoding: pieces of a track follow one another without a gap,
 * each beginning with a keyframe. Every piece has the parameter sets of the first in its track and at least one frame.
 */
export const mergeTracks = Effect.fn("mergeTracks")(function* (path: string, tracks: ReadonlyArray<MergedTrack>) {
  return yield* Effect.tryPromise({
    try: (signal) => write(path, tracks, signal),
    catch: failure
  })
})
