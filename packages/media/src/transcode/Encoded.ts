import { type StoryboardFile } from "../images/StoryboardPlan.ts"

/** One finished rendition. Paths are absolute, sizes bytes. `resolution` 0 is audio only. */
export interface EncodedRendition {
  readonly resolution: number
  readonly width: number
  readonly height: number
  /** Whole frames per second, as in the API; 0 for audio only. */
  readonly fps: number
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  readonly hls: { readonly file: string; readonly playlist: string; readonly size: number } | undefined
  /** A self-contained faststart MP4: it includes the audio even if the HLS files are split. */
  readonly web: { readonly file: string; readonly size: number } | undefined
}

/** All files of an encode or remux. `renditions` are ordered from highest to lowest. */
export interface Encoded {
  /** Seconds that were really written: less than in the probe if the file's declared duration was wrong. */
  readonly duration: number
  readonly renditions: ReadonlyArray<EncodedRendition>
  readonly master: string | undefined
  readonly segments: string | undefined
  readonly storyboard: StoryboardFile | undefined
}
