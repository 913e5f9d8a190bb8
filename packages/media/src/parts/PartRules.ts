import type { Mp4Samples } from "../hls/Mp4Samples.ts"
import type { VideoCodec } from "../ladder/VideoCodec.ts"
import type { PartRendition } from "./PartOrder.ts"

/** Names of MP4 sample entries, by codec. */
const entries: Readonly<Record<VideoCodec, ReadonlyArray<string>>> = {
  h264: ["avc1"],
  hevc: ["hvc1", "hev1"],
  av1: ["av01"],
  vp9: ["vp09"]
}

const rateTolerance = 1e-4

const trackMisfit = (track: Mp4Samples, wanted: PartRendition): string | undefined => {
  const { frames, frameRate, height, keyframeEvery, resolution, width } = wanted
  if (!entries[wanted.codec].includes(track.type)) return `The ${resolution}p picture is ${track.type}`
  if (track.width !== width || track.height !== height) {
    return `It is ${track.width} × ${track.height} instead of ${width} × ${height}`
  }
  if (track.sizes.length !== frames) return `It has ${track.sizes.length} frames instead of ${frames}`
  if (Math.abs((track.delta * frameRate.value) / track.timescale - 1) > rateTolerance) {
    return `It has ${(track.timescale / track.delta).toFixed(3)} frames per second instead of ${frameRate.text}`
  }
  const keyframes = new Set(track.keyframes)
  for (let frame = 0; frame < frames; frame += keyframeEvery) {
    if (!keyframes.has(frame) || track.places[frame] !== frame) return `Frame ${frame} of ${resolution}p is no keyframe`
  }
  return track.parameters.length === 0 ? `The ${resolution}p picture has no parameter sets` : undefined
}

/** Why a file is not the ordered part, as a message for operators. Undefined if it is. */
export const partMisfit = (
  tracks: ReadonlyArray<Mp4Samples>,
  wanted: ReadonlyArray<PartRendition>
): string | undefined => {
  if (tracks.length !== wanted.length) return `It has ${tracks.length} video tracks instead of ${wanted.length}`
  for (const [index, rendition] of wanted.entries()) {
    const words = trackMisfit(tracks[index]!, rendition)
    if (words !== undefined) return words
  }
  return undefined
}

const setOf = (tracks: ReadonlyArray<Mp4Samples>): string =>
  tracks.map(({ parameters }) => Buffer.from(parameters).toString("base64")).join(" ")

/**
 * Parts that cannot be joined with the majority: a decoder is configured once, with parameter sets that all parts
 * share.
 */
export const unlikeOthers = <A extends { readonly tracks: ReadonlyArray<Mp4Samples> }>(
  parts: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const groups = Map.groupBy(parts, ({ tracks }) => setOf(tracks))
  const [max] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  return parts.filter((part) => max?.includes(part) !== true)
}
