import type { CodecChoice } from "@kinora/media/ladder/VideoCodec"
import type { MediaSettingsShape } from "@kinora/media/settings/MediaSettings"
import { Context, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { stagesObjects } from "../../platform/config/ObjectStorage.ts"
import { nodeName } from "../../platform/jobs/NodeName.ts"

export interface SplitSettings {
  /** Minimum length in seconds of a video that is split. */
  readonly shortest: number
  /** Length of a part in seconds. */
  readonly seconds: number
  /** Encoder preset, the same for all parts. */
  readonly preset: MediaSettingsShape["preset"]
}

export interface ProcessingSettingsShape {
  /** Public address of this instance, without a trailing slash. */
  readonly origin: string
  /** Absolute folder for work in progress. Its contents are deleted on start. */
  readonly workDirectory: string
  /** The name of this node on the job board, from `nodeName`. */
  readonly owner: string
  readonly transcoding: boolean
  /** Whether runners make the renditions instead of this node. */
  readonly remoteRunners: boolean
  /** Ladders encoded at the same time. */
  readonly concurrency: number
  /** Enabled resolutions; 0 is audio only. */
  readonly resolutions: ReadonlyArray<number>
  readonly alwaysTranscodeOriginalResolution: boolean
  readonly maxFps: number
  /** Codecs that this node encodes. Runners always encode H.264. */
  readonly codecs: CodecChoice
  /** How long videos are split for runners that accept parts. Absent: they are not split. */
  readonly split?: SplitSettings | undefined
  readonly webVideos: boolean
  readonly hls: boolean
  readonly splitAudio: boolean
  readonly keepOriginal: boolean
  readonly storyboards: boolean
  /** Whether runners make storyboards. */
  readonly remoteStoryboards: boolean
  /** Frames examined for a thumbnail. */
  readonly framesToAnalyze: number
}

const resolutionNumbers = (enabled: Readonly<Record<string, boolean>>): ReadonlyArray<number> =>
  Object.entries(enabled)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))

/** How videos are processed. What administrators change is read anew each time: take nothing out of it beforehand. */
export class ProcessingSettings extends Context.Service<ProcessingSettings, ProcessingSettingsShape>()(
  "@kinora/node/processing/ProcessingSettings"
) {
  static readonly layer = Layer.effect(
    ProcessingSettings,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const { storyboards, transcoding } = config
      const { enabled, min_duration, part_duration } = transcoding.remote_runners.split
      const secondsOf = (duration: Duration.Input) => Duration.toSeconds(Duration.fromInputUnsafe(duration))
      return {
        origin: config.derived.origin,
        workDirectory: `${config.storage.tmp}/processing`,
        owner: yield* nodeName,
        get transcoding() {
          return transcoding.enabled
        },
        get remoteRunners() {
          return transcoding.remote_runners.enabled
        },
        get concurrency() {
          return transcoding.concurrency
        },
        get resolutions() {
          return resolutionNumbers(transcoding.resolutions)
        },
        get alwaysTranscodeOriginalResolution() {
          return transcoding.always_transcode_original_resolution
        },
        get maxFps() {
          return transcoding.fps.max
        },
        codecs: { codec: transcoding.codec, quality: transcoding.crf, keepH264: transcoding.keep_h264 },
        // A cut lies on the disk of the node that made it, and runners ask any node for it.
        split:
          enabled && !(config.cluster.enabled && stagesObjects(config.object_storage))
            ? { shortest: secondsOf(min_duration), seconds: secondsOf(part_duration), preset: transcoding.preset }
            : undefined,
        // If both were disabled, there would be nothing to play.
        get webVideos() {
          return transcoding.web_videos.enabled || !transcoding.hls.enabled
        },
        get hls() {
          return transcoding.hls.enabled
        },
        get splitAudio() {
          return transcoding.hls.split_audio_and_video
        },
        get keepOriginal() {
          return transcoding.original_file.keep
        },
        get storyboards() {
          return storyboards.enabled
        },
        get remoteStoryboards() {
          return transcoding.enabled && transcoding.remote_runners.enabled && storyboards.remote_runners.enabled
        },
        framesToAnalyze: config.thumbnails.generation_from_video.frames_to_analyze
      }
    })
  )
}
