import { Context, Effect, type FileSystem, Layer, type Path, type PlatformError } from "effect"
import type { FfmpegFailed, MalformedMp4, ToolMissing } from "../errors/MediaErrors.ts"
import type { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import type { Encoded } from "./Encoded.ts"
import type { FileNames } from "./FileNames.ts"
import { packageStreams } from "./Package.ts"

/** A finished rendition, encoded elsewhere: a file with video, and with audio if the source has it. */
export interface JoinedPart {
  readonly resolution: number
  /** Absolute path. */
  readonly file: string
  readonly info: MediaInfo
}

/** The files to make from what was encoded elsewhere. */
export interface JoinTarget {
  /** Whether an audio-only rendition is wanted. */
  readonly audioOnly: boolean
  /** Existing folder for all files. */
  readonly directory: string
  readonly names: FileNames
  readonly hls: boolean
  readonly webVideo: boolean
  readonly splitAudio: boolean
}

export interface JoinOptions extends JoinTarget {
  /** Highest first. Audio is taken from the first. */
  readonly parts: ReadonlyArray<JoinedPart>
  /** Seconds. */
  readonly duration: number
  /** Every file is cut at this many seconds, for parts that run over. */
  readonly until?: number | undefined
  /** Absolute path of the upload that all parts come from: its metadata is kept if the settings say so. */
  readonly source?: string | undefined
}

/** Packages renditions that were encoded elsewhere into the served files, by stream copy. */
export class Join extends Context.Service<
  Join,
  {
    join(
      options: JoinOptions
    ): Effect.Effect<Encoded, FfmpegFailed | ToolMissing | MalformedMp4 | PlatformError.PlatformError>
  }
>()("@kinora/media/transcode/Join") {
  static readonly layer = Layer.effect(
    Join,
    Effect.gen(function* () {
      const context = yield* Effect.context<FfmpegProcess | FileSystem.FileSystem | Path.Path>()
      const settings = yield* MediaSettings

      const join = Effect.fn("Join.join")(function* ({ parts, audioOnly, ...options }: JoinOptions) {
        const pictures = parts.flatMap(({ file, info: { video }, resolution }) =>
          video === undefined
            ? []
            : [
                {
                  resolution,
                  width: video.width,
                  height: video.height,
                  fps: video.fps,
                  codec: video.codec,
                  video: { path: file, stream: video.stream }
                }
              ]
        )
        const [first] = parts
        const audioStream = first?.info.audio[0]
        const audio =
          first === undefined || audioStream === undefined
            ? undefined
            : { path: first.file, stream: audioStream.stream }
        const alone = { resolution: 0, width: 0, height: 0, fps: 0, video: undefined }
        return yield* packageStreams({
          ...options,
          background: true,
          // They come from outside, so they are untrusted.
          kind: "upload",
          renditions: audioOnly && audio !== undefined ? [...pictures, alone] : pictures,
          audio
        }).pipe(Effect.provideContext(context), Effect.provideService(MediaSettings, settings))
      })

      return Join.of({ join })
    })
  )
}
