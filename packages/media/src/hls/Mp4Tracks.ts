import { sampleCodec } from "./CodecNames.ts"
import { type Box, children, find, findAll } from "./Mp4Boxes.ts"

/** A track as the `moov` of a fragmented file declares it. */
export interface Mp4Track {
  readonly id: number
  readonly timescale: number
  readonly kind: "video" | "audio"
  /** RFC 6381 name, for example `avc1.640028` or `mp4a.40.2`. */
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Used by fragments without a duration of their own (`trex`). */
  readonly defaultDuration: number
}

/** Video and audio tracks of a `moov` box. Other tracks are left out. */
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
    const known = sample === undefined ? undefined : sampleCodec(bytes, sample)
    if (sample === undefined || known === undefined) continue
    const long = bytes[header.content] === 1
    const id = data.getUint32(header.content + (long ? 20 : 12))
    const video = known.kind === "video"
    tracks.push({
      id,
      timescale: data.getUint32(media.content + (bytes[media.content] === 1 ? 20 : 12)),
      ...known,
      width: video ? data.getUint16(sample.content + 24) : 0,
      height: video ? data.getUint16(sample.content + 26) : 0,
      defaultDuration: defaults.get(id) ?? 0
    })
  }
  return tracks
}
