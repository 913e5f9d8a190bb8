import { type Box, find, findAll } from "./Mp4Boxes.ts"
import type { Mp4Track } from "./Mp4Tracks.ts"

/**
 * Seconds of one track within a `moof` (ISO/IEC 14496-12 §8.8): the sum of its samples' durations, named a sample, a fragment or a
 * track. 0 when the track has no samples here.
 */
export const fragmentSeconds = (bytes: Uint8Array, moof: Box, track: Mp4Track): number => {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let ticks = 0
  for (const traf of findAll(bytes, moof, "traf")) {
    const header = find(bytes, traf, ["tfhd"])
    if (header === undefined || data.getUint32(header.content + 4) !== track.id) continue
    const flags = data.getUint32(header.content) & 0xffffff
    const durationAt = header.content + 8 + ((flags & 0x1) !== 0 ? 8 : 0) + ((flags & 0x2) !== 0 ? 4 : 0)
    const usual = (flags & 0x8) !== 0 ? data.getUint32(durationAt) : track.defaultDuration
    for (const run of findAll(bytes, traf, "trun")) ticks += runTicks(data, run, usual)
  }
  return track.timescale > 0 ? ticks / track.timescale : 0
}

const runTicks = (data: DataView, run: Box, usual: number): number => {
  const flags = data.getUint32(run.content) & 0xffffff
  const samples = data.getUint32(run.content + 4)
  if ((flags & 0x100) === 0) return samples * usual
  const first = run.content + 8 + ((flags & 0x1) !== 0 ? 4 : 0) + ((flags & 0x4) !== 0 ? 4 : 0)
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4
  let ticks = 0
  for (let index = 0; index < samples; index++) {
    const at = first + index * width
    if (at + 4 > run.end) break
    ticks += data.getUint32(at)
  }
  return ticks
}

/** Where one track goes on in a fragment. */
export interface TrackStart {
  /** Seconds (`tfdt`). */
  readonly seconds: number
  /** Whether its first sample can be decoded without others. */
  readonly isSync: boolean
}

/** The bit of a sample's flags that says that it needs others (ISO/IEC 14496-12 §8.8.3.1). */
const nonSync = 0x1_00_00

/** The first sample of a track within a `moof`; undefined when the track has none there. */
export const trackStart = (bytes: Uint8Array, moof: Box, track: Mp4Track): TrackStart | undefined => {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const traf of findAll(bytes, moof, "traf")) {
    const header = find(bytes, traf, ["tfhd"])
    const time = find(bytes, traf, ["tfdt"])
    const run = find(bytes, traf, ["trun"])
    if (header === undefined || time === undefined || run === undefined) continue
    if (data.getUint32(header.content + 4) !== track.id || data.getUint32(run.content + 4) === 0) continue
    const ticks =
      bytes[time.content] === 1 ? Number(data.getBigUint64(time.content + 4)) : data.getUint32(time.content + 4)
    const flags = firstFlags(data, run) ?? defaultFlags(data, header)
    const isSync = track.kind === "audio" || (flags !== undefined && (flags & nonSync) === 0)
    return { seconds: track.timescale > 0 ? ticks / track.timescale : 0, isSync }
  }
  return undefined
}

/** Flags of the first sample of a `trun`, if it has any: for that sample alone, or one of each sample. */
const firstFlags = (data: DataView, run: Box): number | undefined => {
  const flags = data.getUint32(run.content) & 0xffffff
  const after = run.content + 8 + ((flags & 0x1) !== 0 ? 4 : 0)
  if ((flags & 0x4) !== 0) return data.getUint32(after)
  if ((flags & 0x400) === 0) return undefined
  return data.getUint32(after + ((flags & 0x100) !== 0 ? 4 : 0) + ((flags & 0x200) !== 0 ? 4 : 0))
}

/** Flags of samples that have none of their own (`tfhd`): after four other optional fields. */
const defaultFlags = (data: DataView, header: Box): number | undefined => {
  const flags = data.getUint32(header.content) & 0xffffff
  if ((flags & 0x20) === 0) return undefined
  const before = ((flags & 0x1) !== 0 ? 8 : 0) + [0x2, 0x8, 0x10].filter((flag) => (flags & flag) !== 0).length * 4
  return data.getUint32(header.content + 8 + before)
}
