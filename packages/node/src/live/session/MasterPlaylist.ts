import { masterPlaylist } from "@kinora/media/hls/Playlists"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { LiveSegment } from "./MediaPlaylistLines.ts"

/** A version of a live in the master playlist. */
export interface ListedVersion {
  readonly output: LiveOutput
  readonly playlist: string
  readonly segments: ReadonlyArray<LiveSegment>
  /** RFC 6381 names; undefined where a transport stream does not say them. */
  readonly codecs: ReadonlyArray<string> | undefined
}

const usualRate = 128_000

/** Bits per second over the segments that are known. */
const ratesOf = (segments: ReadonlyArray<LiveSegment>) => {
  const rates = segments.map(({ bytes, seconds }) => Math.ceil((bytes * 8) / seconds))
  const bits = segments.reduce((sum, { bytes }) => sum + bytes * 8, 0)
  const seconds = segments.reduce((sum, segment) => sum + segment.seconds, 0)
  return { peak: Math.max(usualRate, ...rates), average: seconds > 0 ? Math.ceil(bits / seconds) : usualRate }
}

/**
 * The master playlist of a live, highest version first. Video in transport streams is H.264: High where it is encoded; that of a
 * publisher may be less, which every decoder of the former plays.
 */
export const liveMaster = (versions: ReadonlyArray<ListedVersion>): string =>
  masterPlaylist(
    versions.map(({ codecs, output, playlist, segments }) => {
      const { average, peak } = ratesOf(segments)
      const hasPicture = output.picture !== "none"
      return {
        playlist,
        bandwidth: peak,
        averageBandwidth: average,
        codecs: codecs ?? [...(hasPicture ? ["avc1.64002a"] : []), ...(output.sound === "none" ? [] : ["mp4a.40.2"])],
        video: hasPicture ? { width: output.width, height: output.height, fps: output.fps } : undefined
      }
    }),
    undefined
  )
