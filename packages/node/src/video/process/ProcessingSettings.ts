import type { CodecChoice } from "@kinora/media/ladder/VideoCodec"
import type { MediaSettingsShape } from "@kinora/media/settings/MediaSettings"
import { Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"

export interface SplitSettings {
  /** Seconds from which a video is split. */
  readonly shortest: number
  /** Seconds of a part. */
  readonly seconds: number
  /** Effort of the encoder, the same for all parts. */
  readonly preset: MediaSettingsShape["preset"]
}

export interface ProcessingSettingsShape {
  /** Where this instance is reached, without a slash at the end. */
  readonly origin: string
  /** Absolute folder for work in progress. Its contents are deleted at start. */
  readonly workDirectory: string
  /** Names this node to the job board, as `nodeName` does. */
  readonly owner: string
  readonly transcoding: boolean
  /** Whether runners make the renditions in place of this node. */
  readonly remoteRunners: boolean
  /** Ladders encoded at the same time. */
  readonly concurrency: number
  /** Enabled resolutions; 0 is sound alone. */
  readonly resolutions: ReadonlyArray<number>
  readonly alwaysTranscodeOriginalResolution: boolean
  readonly maxFps: number
  /** Codecs of what this node makes; runners are asked for H.264. */
  readonly codecs: CodecChoice
  /** How runners that can are given long videos in parts; absent: not at all. */
  readonly split?: SplitSettings | undefined
  readonly webVideos: boolean
  readonly hls: boolean
  readonly splitAudio: boolean
  readonly keepOriginal: boolean
  readonly storyboards: boolean
  /** Frames looked at for a thumbnail. */
  readonly framesToAnalyze: number
}

const resolutionNumbers = (enabled: Readonly<Record<string, boolean>>): ReadonlyArray<number> =>
  Object.entries(enabled)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))

/** How videos are processed. */
export class ProcessingSettings extends Context.Service<ProcessingSettings, ProcessingSettingsShape>()(
  "@kinora/node/processing/ProcessingSettings"
) {
  static readonly layer = Layer.effect(
    ProcessingSettings,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const { transcoding } = config
      const { enabled, min_duration, part_duration } = transcoding.remote_runners.split
      const secondsOf = (duration: Duration.Input) => Duration.toSeconds(Duration.fromInputUnsafe(duration))
      return {
        origin: config.derived.origin,
        workDirectory: `${config.storage.tmp}/processing`,
        owner: yield* nodeName,
        transcoding: transcoding.enabled,
        remoteRunners: transcoding.remote_runners.enabled,
        concurrency: transcoding.concurrency,
        resolutions: resolutionNumbers(transcoding.resolutions),
        alwaysTranscodeOriginalResolution: transcoding.always_transcode_original_resolution,
        maxFps: transcoding.fps.max,
        codecs: { codec: transcoding.codec, quality: transcoding.crf, keepH264: transcoding.keep_h264 },
        split: enabled
          ? { shortest: secondsOf(min_duration), seconds: secondsOf(part_duration), preset: transcoding.preset }
          : undefined,
        // With neither there would be nothing to play.
        webVideos: transcoding.web_videos.enabled || !transcoding.hls.enabled,
        hls: transcoding.hls.enabled,
        splitAudio: transcoding.hls.split_audio_and_video,
        keepOriginal: transcoding.original_file.keep,
        storyboards: config.storyboards.enabled,
        framesToAnalyze: config.thumbnails.generation_from_video.frames_to_analyze
      }
    })
  )
}
