import { Effect } from "effect"
import { open, type FileHandle } from "node:fs/promises"
import { MalformedMp4 } from "../errors/MediaErrors.ts"
import { type Box, children, find, readHeader } from "./Mp4Boxes.ts"

/** Contiguous bytes of a file. */
export interface Mp4Chunk {
  readonly offset: number
  readonly length: number
}

/** A video track in an MP4 that is not fragmented (ISO/IEC 14496-12 §8.6, §8.7), with frames of equal duration. */
export interface Mp4Samples {
  /** For example `avc1`. */
  readonly type: string
  /** Its sample entry: the configuration for decoders. */
  readonly entry: Uint8Array
  /** The box with the parameter sets (`avcC`, `hvcC`, `av1C`, `vpcC`). Empty if it has none. */
  readonly parameters: Uint8Array
  readonly width: number
  readonly height: number
  readonly timescale: number
  /** Ticks per frame. */
  readonly delta: number
  /** Display position of each frame, from 0, in decoding order. */
  readonly places: Int32Array
  readonly sizes: Uint32Array
  /** Indexes of keyframes, from 0. */
  readonly keyframes: ReadonlyArray<number>
  readonly chunks: ReadonlyArray<Mp4Chunk>
}

class Broken extends Error {}

const broken = (words: string): never => {
  throw new Broken(words)
}

/** Limits for untrusted files: consecutive boxes, tracks, bytes of a sample entry. */
const maxBoxes = 1000
const maxTracks = 16
const maxEntry = 64 * 1024
const maxPictures = 4_000_000
/** Maximum bytes of an index: the size of all its tables per frame, plus the rest. */
const maxIndex = (max: number): number => Math.min(32 * 1024 ** 2, 1024 ** 2 + max * 48 * maxTracks)

const configurations = new Set(["avcC", "hvcC", "av1C", "vpcC"])
const pictureEntry = 78

/** A table of integers after 8 header bytes. Its declared length is trusted only up to the end of the box. */
const table = (data: DataView, box: Box, width: number, headAt = 4): { at: number; count: number } => {
  const at = box.content + headAt + 4
  if (at > box.end) broken("a table without a head")
  const count = data.getUint32(box.content + headAt)
  if (count * width > box.end - at) broken("a table that is longer than its box")
  return { at, count }
}

const box = (bytes: Uint8Array, within: Box, path: ReadonlyArray<string>): Box =>
  find(bytes, within, path) ?? broken(`no ${path.at(-1)}`)

const readSizes = (bytes: Uint8Array, data: DataView, tables: Box, max: number): Uint32Array => {
  const stsz = box(bytes, tables, ["stsz"])
  if (stsz.end - stsz.content < 12) broken("a short stsz")
  const usual = data.getUint32(stsz.content + 4)
  const count = data.getUint32(stsz.content + 8)
  if (count > max) broken("more frames than possible")
  if (usual === 0 && count * 4 > stsz.end - stsz.content - 12) broken("a table that is longer than its box")
  return Uint32Array.from({ length: count }, (_, index) =>
    usual === 0 ? data.getUint32(stsz.content + 12 + index * 4) : usual
  )
}

/** The display time of each frame, in ticks, from the first displayed frame. */
const readPlaces = (bytes: Uint8Array, data: DataView, tables: Box, count: number) => {
  const stts = box(bytes, tables, ["stts"])
  const durations = table(data, stts, 8)
  const delta = durations.count === 0 ? 0 : data.getUint32(durations.at + 4)
  if (delta === 0) broken("pictures without a length")
  for (let index = 1; index < durations.count; index++) {
    // The duration of the last frame may differ.
    const odd = data.getUint32(durations.at + index * 8 + 4) !== delta
    const single = index === durations.count - 1 && data.getUint32(durations.at + index * 8) === 1
    if (odd && !single) broken("pictures of different lengths")
  }
  const shown = new Float64Array(count)
  for (let index = 0; index < count; index++) shown[index] = index * delta
  const ctts = find(bytes, tables, ["ctts"])
  if (ctts !== undefined) {
    const offsets = table(data, ctts, 8)
    let sample = 0
    for (let index = 0; index < offsets.count; index++) {
      const times = data.getUint32(offsets.at + index * 8)
      const offset = data.getInt32(offsets.at + index * 8 + 4)
      if (sample + times > count) broken("more offsets than pictures")
      for (let once = 0; once < times; once++) shown[sample++]! += offset
    }
  }
  const begins = shown.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const places = new Int32Array(count)
  const taken = new Uint8Array(count)
  shown.forEach((time, index) => {
    const place = (time - begins) / delta
    if (!Number.isInteger(place) || place >= count || taken[place] === 1) broken("pictures that are not evenly spaced")
    taken[place] = 1
    places[index] = place
  })
  return { delta, places }
}

const readKeyframes = (bytes: Uint8Array, data: DataView, tables: Box, count: number): ReadonlyArray<number> => {
  const stss = find(bytes, tables, ["stss"])
  if (stss === undefined) return Array.from({ length: count }, (_, index) => index)
  const entries = table(data, stss, 4)
  if (entries.count > count) broken("more keyframes than pictures")
  const keyframes = Array.from({ length: entries.count }, (_, index) => data.getUint32(entries.at + index * 4) - 1)
  const rising = keyframes.every((frame, index) => frame > (keyframes[index - 1] ?? -1) && frame < count)
  return rising ? keyframes : broken("keyframes in disorder")
}

const readChunks = (
  bytes: Uint8Array,
  data: DataView,
  tables: Box,
  sizes: Uint32Array,
  fileSize: number
): ReadonlyArray<Mp4Chunk> => {
  const runs = table(data, box(bytes, tables, ["stsc"]), 12)
  const long = find(bytes, tables, ["co64"])
  const offsets = table(data, long ?? box(bytes, tables, ["stco"]), long === undefined ? 4 : 8)
  const chunks: Array<{ offset: number; length: number }> = []
  let run = 0
  let sample = 0
  for (let chunk = 0; chunk < offsets.count && sample < sizes.length; chunk++) {
    while (run + 1 < runs.count && data.getUint32(runs.at + (run + 1) * 12) <= chunk + 1) run++
    const samples = runs.count === 0 ? 0 : data.getUint32(runs.at + run * 12 + 4)
    if (samples === 0) broken("a chunk without pictures")
    const until = Math.min(sizes.length, sample + samples)
    const at = offsets.at + chunk * (long === undefined ? 4 : 8)
    const offset = long === undefined ? data.getUint32(at) : Number(data.getBigUint64(at))
    let length = 0
    for (; sample < until; sample++) length += sizes[sample]!
    if (offset + length > fileSize) broken("pictures beyond the end of the file")
    const last = chunks.at(-1)
    if (last !== undefined && last.offset + last.length === offset) last.length += length
    else chunks.push({ offset, length })
  }
  if (sample < sizes.length) broken("pictures that are nowhere")
  return chunks
}

/** A copy, because it outlives the index. */
const copyOf = (bytes: Uint8Array, { end, start }: Box): Uint8Array => new Uint8Array(bytes.subarray(start, end))

const readTrack = (bytes: Uint8Array, trak: Box, max: number, fileSize: number): Mp4Samples | undefined => {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const media = box(bytes, trak, ["mdia", "mdhd"])
  const tables = box(bytes, trak, ["mdia", "minf", "stbl"])
  const described = box(bytes, tables, ["stsd"])
  const [entry] = children(bytes, described.content + 8, described.end)
  if (entry === undefined) return undefined
  const handler = box(bytes, trak, ["mdia", "hdlr"])
  if (String.fromCharCode(...bytes.subarray(handler.content + 8, handler.content + 12)) !== "vide") return undefined
  const configuration = children(bytes, entry.content + pictureEntry, entry.end).find(({ type }) =>
    configurations.has(type)
  )
  if (entry.end - entry.start > maxEntry) broken("a sample entry that is too long")
  const sizes = readSizes(bytes, data, tables, max)
  return {
    type: entry.type,
    entry: copyOf(bytes, entry),
    parameters: configuration === undefined ? new Uint8Array(0) : copyOf(bytes, configuration),
    width: data.getUint16(entry.content + 24),
    height: data.getUint16(entry.content + 26),
    timescale: data.getUint32(media.content + (bytes[media.content] === 1 ? 20 : 12)),
    ...readPlaces(bytes, data, tables, sizes.length),
    sizes,
    keyframes: readKeyframes(bytes, data, tables, sizes.length),
    chunks: readChunks(bytes, data, tables, sizes, fileSize)
  }
}

const readAt = async (file: FileHandle, offset: number, length: number): Promise<Uint8Array> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

const readIndex = (bytes: Uint8Array, index: Box, max: number, fileSize: number): ReadonlyArray<Mp4Samples> => {
  const traks = children(bytes, index.content, index.end).filter(({ type }) => type === "trak")
  if (traks.length > maxTracks) broken(`${traks.length} tracks`)
  const tracks = traks.flatMap((trak) => readTrack(bytes, trak, max, fileSize) ?? [])
  // Overlapping frames could fill the disk when they are copied.
  const length = tracks.flatMap(({ chunks }) => chunks).reduce((sum, chunk) => sum + chunk.length, 0)
  return length > fileSize ? broken("more bytes of pictures than there are") : tracks
}

const readFile = async (path: string, max: number): Promise<ReadonlyArray<Mp4Samples>> => {
  const file = await open(path, "r")
  try {
    const { size } = await file.stat()
    for (let at = 0, boxes = 0; at < size; boxes++) {
      if (boxes > maxBoxes) broken("too many boxes")
      const header = readHeader(await readAt(file, at, 16), 0, size - at) ?? broken(`a broken box at ${at}`)
      if (at + header.end > size || header.end < 8) broken(`a broken box at ${at}`)
      if (header.type === "moov") {
        if (header.end > maxIndex(max)) broken(`an index of ${header.end} bytes`)
        return readIndex(await readAt(file, at, header.end), header, max, size)
      }
      at += header.end
    }
    return broken("no index")
  } finally {
    await file.close()
  }
}

/** Messages without paths of this machine, because runners receive them. */
const wordsOf = (error: unknown): string =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === undefined
    ? error.message
    : "The file cannot be read"

/**
 * The positions of the frames of an MP4, by track. Reads its index, never the frames. `max` bounds the frames of a
 * track. The file is untrusted: anything inconsistent fails.
 */
export const readSamples = Effect.fn("readSamples")(function* (path: string, max: number) {
  return yield* Effect.tryPromise({
    try: () => readFile(path, Math.min(max, maxPictures)),
    catch: (error) => new MalformedMp4({ detail: wordsOf(error) })
  })
})
