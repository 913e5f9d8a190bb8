import { Context, Effect, FileSystem, Layer, Path, type PlatformError, Stream } from "effect"
import type { FfmpegFailed, MalformedMp4, ToolMissing } from "../errors/MediaErrors.ts"
import { mergeTracks } from "../hls/Mp4Merge.ts"
import { type Mp4Samples, readSamples } from "../hls/Mp4Samples.ts"
import { ffmpegArguments } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import type { Encoded } from "../transcode/Encoded.ts"
import { audioArguments } from "../transcode/EncoderArguments.ts"
import type { JoinTarget } from "../transcode/Join.ts"
import { packageStreams } from "../transcode/Package.ts"
import type { PartRendition, VideoPart } from "./PartOrder.ts"
import { partMisfit } from "./PartRules.ts"

/** An encoded part. */
export interface MadePart {
  /** Absolute path. */
  readonly file: string
  readonly output: VideoPart
}

/** The content of an encoded part. */
export interface ReadPart extends MadePart {
  readonly tracks: ReadonlyArray<Mp4Samples>
}

export interface JoinPartsOptions extends JoinTarget {
  /** In playback order. They were checked, and all match. */
  readonly parts: ReadonlyArray<ReadPart>
  /** Absolute path of the source, for audio that is not encoded yet. */
  readonly source: string
  readonly info: MediaInfo
  /** Absolute path of the encoded audio. Undefined: it is encoded here. */
  readonly audioPath: string | undefined
}

type JoinError = FfmpegFailed | ToolMissing | MalformedMp4 | PlatformError.PlatformError

const framesOf = ({ output }: MadePart): number =>
  output.renditions.reduce((max, { frames }) => Math.max(max, frames), 0)

/** Joins separately encoded parts of a video. Only audio is encoded here, if at all. */
export class JoinParts extends Context.Service<
  JoinParts,
  {
    /**
     * Inspects the file of a part. Fails with a message for operators if it is not what was ordered. Does not read
     * frames.
     */
    readonly look: (part: MadePart) => Effect.Effect<ReadPart, string>
    readonly join: (options: JoinPartsOptions) => Effect.Effect<Encoded, JoinError>
  }
>()("@kinora/media/parts/JoinParts") {
  static readonly layer = Layer.effect(
    JoinParts,
    Effect.gen(function* () {
      const context = yield* Effect.context<FfmpegProcess | FileSystem.FileSystem | Path.Path>()
      const fs = yield* FileSystem.FileSystem
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const { join: place } = yield* Path.Path

      const look = Effect.fn("JoinParts.look")(function* (part: MadePart) {
        const tracks = yield* Effect.mapError(readSamples(part.file, framesOf(part) + 1), ({ message }) => message)
        const words = partMisfit(tracks, part.output.renditions)
        return words === undefined ? { ...part, tracks } : yield* Effect.fail(words)
      })

      /** The audio as a single encode would make it. */
      const audioOf = Effect.fnUntraced(function* ({ info, source }: JoinPartsOptions, path: string) {
        const [stream] = info.audio
        if (stream === undefined) return undefined
        const args = ffmpegArguments({
          inputs: [{ path: source, kind: "upload" }],
          outputs: [{ path, options: ["-map", `0:${stream.stream}`, "-vn", ...audioArguments(stream, info)] }]
        })
        const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, background: true }
        const invocation = { tool: "ffmpeg", args, timeout: settings.encodeTimeout, limits } as const
        yield* Stream.runDrain(process.progress(invocation, info.duration))
        return path
      })

      const join = Effect.fn("JoinParts.join")(function* (options: JoinPartsOptions) {
        const { directory, info, parts, audioPath, audioOnly } = options
        const scratch = yield* fs.makeTempDirectoryScoped({ directory, prefix: ".join-" })
        const wanted: ReadonlyArray<PartRendition> = parts[0]?.output.renditions ?? []
        const audio = audioPath ?? (yield* audioOf(options, place(scratch, "sound.mp4")))
        const renditions = yield* Effect.forEach(wanted, (rendition, index) => {
          const path = place(scratch, `${rendition.resolution}.mp4`)
          const pieces = parts.map(({ file, tracks }) => ({ path: file, track: tracks[index]! }))
          return Effect.as(mergeTracks(path, [{ pieces }]), {
            resolution: rendition.resolution,
            width: rendition.width,
            height: rendition.height,
            fps: rendition.frameRate.value,
            video: { path, stream: "v:0" }
          })
        })
        const alone = { resolution: 0, width: 0, height: 0, fps: 0, video: undefined }
        return yield* packageStreams({
          ...options,
          background: true,
          // They come from outside, so they are untrusted.
          kind: "upload",
          renditions: audioOnly && audio !== undefined ? [...renditions, alone] : renditions,
          audio: audio === undefined ? undefined : { path: audio, stream: "a:0" },
          duration: info.duration
        }).pipe(Effect.provideContext(context), Effect.provideService(MediaSettings, settings))
      }, Effect.scoped)

      return JoinParts.of({ look, join })
    })
  )
}
