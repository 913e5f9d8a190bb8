import { type Box, children, find, findAll } from "./Mp4Boxes.ts"

/** A track as the `moov` of a fragmented file tells it. */
export interface Mp4Track {
  readonly id: number
  readonly timescale: number
  readonly kind: "video" | "audio"
  /** RFC 6381 name, for example `avc1.640028` or `mp4a.40.2`. */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Used by fragments that name no duration of their own (`trex`). */
  readonly defaultDuration: number
}

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, "0").toLowerCase()

const avcName = (bytes: Uint8Array, sample: Box): string => {
  // VisualSampleEntry: 78 bytes of fields before its boxes.
  const configuration = children(bytes, sample.content + 78, sample.end).find((box) => box.type === "avcC")
  if (configuration === undefined) return "avc1"
  const [profile = 0, compatibility = 0, level = 0] = bytes.subarray(
    configuration.content + 1,
    configuration.content + 4
  )
  return `avc1.${hex(profile)}${hex(compatibility)}${hex(level)}`
}

/** Walks the descriptors of `esds` (ISO/IEC 14496-1 §7.2.6): object type, and for AAC the audio object type. */
const esdsName = (bytes: Uint8Array, sample: Box): string => {
  const box = children(bytes, sample.content + 28, sample.end).find((child) => child.type === "esds")
  if (box === undefined) return "mp4a.40.2"
  let at = box.content + 4
  const descriptor = (tag: number): boolean => {
    if (bytes[at] !== tag) return false
    at++
    while (at < box.end && ((bytes[at] ?? 0) & 0x80) !== 0) at++
    at++
    return true
  }
  if (!descriptor(0x03)) return "mp4a.40.2"
  at += 3
  if (!descriptor(0x04)) return "mp4a.40.2"
  const objectType = bytes[at] ?? 0
  if (objectType !== 0x40) return `mp4a.${hex(objectType).toUpperCase()}`
  at += 13
  if (!descriptor(0x05)) return "mp4a.40.2"
  const kind = (bytes[at] ?? 0) >> 3
  return `mp4a.40.${kind === 31 ? 32 + ((((bytes[at] ?? 0) & 7) << 3) | ((bytes[at + 1] ?? 0) >> 5)) : kind}`
}

/** Video and audio tracks of a `moov` box. Tracks of other kinds are left out. */
export const readTracks = (bytes: Uint8Array, moov: Box): ReadonlyArray<Mp4Track> => {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const extensions = find(bytes, moov, ["mvex"])
  const defaults = new Map(
    (extensions === undefined ? [] : findAll(bytes, extensions, "trex")).map((box) => [
      data.getUint32(box.content + 4),
      data.getUint32(box.content + 12)
    ])
  )
  const tracks: Array<Mp4Track> = []
  for (const trak of findAll(bytes, moov, "trak")) {
    const header = find(bytes, trak, ["tkhd"])
    const media = find(bytes, trak, ["mdia", "mdhd"])
    const description = find(bytes, trak, ["mdia", "minf", "stbl", "stsd"])
    if (header === undefined || media === undefined || description === undefined) continue
    const [sample] = children(bytes, description.content + 8, description.end)
    if (sample === undefined || (sample.type !== "avc1" && sample.type !== "mp4a")) continue
    const long = bytes[header.content] === 1
    const id = data.getUint32(header.content + (long ? 20 : 12))
    const video = sample.type === "avc1"
    tracks.push({
      id,
      timescale: data.getUint32(media.content + (bytes[media.content] === 1 ? 20 : 12)),
      kind: video ? "video" : "audio",
      codec: video ? avcName(bytes, sample) : esdsName(bytes, sample),
      width: video ? data.getUint16(sample.content + 24) : 0,
      height: video ? data.getUint16(sample.content + 26) : 0,
      defaultDuration: defaults.get(id) ?? 0
    })
  }
  return tracks
}
