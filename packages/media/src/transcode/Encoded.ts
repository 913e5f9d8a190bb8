import { type StoryboardFile } from "../images/StoryboardPlan.ts"

/** One finished rendition. Paths are absolute, sizes bytes. `resolution` 0 is audio alone. */
export interface EncodedRendition {
  readonly resolution: number
  readonly width: number
  readonly height: number
  /** Whole frames per second, as in the API; 0 for audio alone. */
  readonly fps: number
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  readonly hls: { readonly file: string; readonly playlist: string; readonly size: number } | undefined
  /** A faststart mp4 that plays alone: audio is inside even when the HLS files are split. */
  readonly web: { readonly file: string; readonly size: number } | undefined
}

/** Everything an encode or a remux made. `renditions` are ordered from the highest to the lowest. */
export interface Encoded {
  /** Seconds that were really written: a file that promised more than it held is shorter than its probe. */
  readonly duration: number
  readonly renditions: ReadonlyArray<EncodedRendition>
  readonly master: string | undefined
  readonly segments: string | undefined
  readonly storyboard: StoryboardFile | undefined
}
