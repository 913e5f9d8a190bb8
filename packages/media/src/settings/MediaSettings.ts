import { Context, Duration } from "effect"
import type { Preset } from "./Preset.ts"

/** Settings of tools and limits; every value has a default. */
export interface MediaSettingsShape {
  /** Absolute path of ffmpeg; undefined: `KINORA_FFMPEG_PATH`, then PATH, then the npm packages. */
  readonly ffmpegPath: string | undefined
  /** Absolute path of ffprobe; undefined: `KINORA_FFPROBE_PATH`, then PATH, then the npm packages. */
  readonly ffprobePath: string | undefined
  /** Absolute path of yt-dlp, or its name in PATH; undefined: `yt-dlp` in PATH. */
  readonly ytDlpPath: string | undefined
  /** Absolute path of the Python that sets up the confinement. Undefined or missing: `python3` in PATH. */
  readonly pythonPath: string | undefined
  /** Absolute path of certificates (PEM) that yt-dlp trusts instead of the system's. */
  readonly certificates: string | undefined
  /** Time limit for reading an external page (wall-clock time). */
  readonly externalTimeout: Duration.Duration
  /** Time limit for downloading an external video (wall-clock time). */
  readonly externalDownloadTimeout: Duration.Duration
  /** Where a tool that is not executable may be copied to. Undefined: it must be executable where it is. */
  readonly cacheDirectory: string | undefined
  /** Allows an ffmpeg before version 4 for untrusted files. */
  readonly allowOldTools: boolean
  /** Encoder threads; 0 lets the encoder choose. */
  readonly threads: number
  /**
   * Encoder preset by x264's names, pinned so that speed and quality stay as measured. Other encoders map it to their
   * own.
   */
  readonly preset: Preset
  /** What happens to metadata of a source: location, device, title, comment, time, chapters. */
  readonly metadata: "strip" | "keep"
  /** Time limit of an encode (wall-clock time). */
  readonly encodeTimeout: Duration.Duration
  /** Time limit of a probe or a single image (wall-clock time). */
  readonly probeTimeout: Duration.Duration
  /** Address space of an encoding process, bytes. */
  readonly encodeMemory: number
  /** Address space of a probing process, bytes. */
  readonly probeMemory: number
  /** Largest file an encoding process may write, bytes. */
  readonly fileSize: number
  /** Maximum pixels per frame of an accepted video. */
  readonly maxPixels: number
  /** Maximum accepted frame rate. Rates above the ladder's cap are reduced. */
  readonly maxFps: number
  /** Maximum number of streams in a file. */
  readonly maxStreams: number
  /** Maximum accepted length, seconds. */
  readonly maxDuration: number
  /** Maximum pixels of an uploaded image. */
  readonly maxPicturePixels: number
  /** Maximum bytes of an uploaded image. */
  readonly maxPictureBytes: number
}

const gibibyte = 1024 ** 3

/** Defaults, suitable for a small machine. */
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
