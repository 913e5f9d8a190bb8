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
