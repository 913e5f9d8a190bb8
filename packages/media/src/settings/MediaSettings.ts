import { Context, Duration } from "effect"
import type { Preset } from "./Preset.ts"

/** What the operator may set about tools and limits; every value has a default. */
export interface MediaSettingsShape {
  /** Absolute path of ffmpeg; undefined: `KINORA_FFMPEG_PATH`, then PATH, then the npm packages. */
  readonly ffmpegPath: string | undefined
  /** Absolute path of ffprobe; undefined: `KINORA_FFPROBE_PATH`, then PATH, then the npm packages. */
  readonly ffprobePath: string | undefined
  /** Absolute path of yt-dlp, or its name in PATH; undefined: `yt-dlp` in PATH. */
  readonly ytDlpPath: string | undefined
  /** Absolute path of the Python that confines it; undefined or missing: `python3` in PATH. */
  readonly pythonPath: string | undefined
  /** Absolute path of certificates (PEM) that yt-dlp trusts in place of the system's. */
  readonly certificates: string | undefined
  /** Longest that reading a page elsewhere may take in wall-clock time. */
  readonly externalTimeout: Duration.Duration
  /** Longest that fetching a video from elsewhere may take in wall-clock time. */
  readonly externalDownloadTimeout: Duration.Duration
  /** Where a tool that is not executable may be copied to; undefined: it must be executable where it is. */
  readonly cacheDirectory: string | undefined
  /** Use an ffmpeg from before version 4 on untrusted files all the same. */
  readonly allowOldTools: boolean
  /** Encoder threads; 0 lets the encoder choose. */
  readonly threads: number
  /** Effort by x264's names, pinned so that speed and quality stay what was measured; other encoders have theirs beside it. */
  readonly preset: Preset
  /** What becomes of what a source says of itself: place, device, title, comment, time, chapters. */
  readonly metadata: "strip" | "keep"
  /** Longest an encode may run in wall-clock time. */
  readonly encodeTimeout: Duration.Duration
  /** Longest a probe or a single picture may take in wall-clock time. */
  readonly probeTimeout: Duration.Duration
  /** Address space of an encoding child, bytes. */
  readonly encodeMemory: number
  /** Address space of a probing child, bytes. */
  readonly probeMemory: number
  /** Largest file an encoding child may write, bytes. */
  readonly fileSize: number
  /** Largest picture, in pixels, of a video that is accepted. */
  readonly maxPixels: number
  /** Highest frame rate that is accepted; what is above the ladder's cap is merely reduced. */
  readonly maxFps: number
  /** Most streams a file may have. */
  readonly maxStreams: number
  /** Longest media that is accepted, seconds. */
  readonly maxDuration: number
  /** Largest uploaded picture, in pixels. */
  readonly maxPicturePixels: number
  /** Largest uploaded picture, in bytes. */
  readonly maxPictureBytes: number
}

const gibibyte = 1024 ** 3

/** Defaults: what a small machine can take. */
export const defaultMediaSettings: MediaSettingsShape = {
  ffmpegPath: undefined,
  ffprobePath: undefined,
  ytDlpPath: undefined,
  pythonPath: undefined,
  certificates: undefined,
  externalTimeout: Duration.minutes(2),
  externalDownloadTimeout: Duration.hours(2),
  cacheDirectory: undefined,
  allowOldTools: false,
  threads: 0,
  preset: "veryfast",
  metadata: "strip",
  encodeTimeout: Duration.hours(48),
  probeTimeout: Duration.seconds(20),
  encodeMemory: 6 * gibibyte,
  probeMemory: 2 * gibibyte,
  fileSize: 256 * gibibyte,
  maxPixels: 8192 * 8192,
  maxFps: 1000,
  maxStreams: 64,
  maxDuration: 7 * 24 * 3600,
  maxPicturePixels: 50_000_000,
  maxPictureBytes: 16 * 1024 ** 2
}

/** Read once, when the media layers are built: provide it to them with `Layer.provide(Layer.succeed(MediaSettings, …))`. */
export const MediaSettings = Context.Reference<MediaSettingsShape>("@kinora/media/settings/MediaSettings", {
  defaultValue: () => defaultMediaSettings
})
