import { Context, Effect, FileSystem, Layer, Path, type PlatformError, Stream } from "effect"
import { type FfmpegFailed, type MalformedMp4, ToolMissing, UnsupportedMedia } from "../errors/MediaErrors.ts"
import { mergeTracks } from "../hls/Mp4Merge.ts"
import { readSamples } from "../hls/Mp4Samples.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import { ffmpegArguments, type FfmpegInput } from "../process/FfmpegCommand.ts"
import { FfmpegProcess } from "../process/FfmpegProcess.ts"
import type { AudioStream, MediaInfo } from "../probe/MediaInfo.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { audioArguments, videoArguments } from "../transcode/EncoderArguments.ts"
import { pictureLabel, renditionGraph } from "../transcode/FilterGraph.ts"
import { cutInput } from "./Cut.ts"
import type { PartOutput, VideoPart, AudioPart } from "./PartOrder.ts"
import { declaredValue } from "./PartPlan.ts"

/** A part to encode. Paths are absolute. */
export interface PartWork {
  /** The cut that it is encoded from. */
  readonly source: string
  /** Existing folder for all files. */
  readonly directory: string
  readonly output: PartOutput
  /** Receives the progress, from 0 to 1. */
  readonly onFraction?: (fraction: number) => Effect.Effect<void>
}

export type PartError = FfmpegFailed | ToolMissing | UnsupportedMedia | MalformedMp4 | PlatformError.PlatformError

/** Colours that the container declares, passed to the decoder instead. */
const colors = ({ colorPrimaries, colorRange, colorSpace, colorTransfer }: VideoPart["picture"]) =>
  (
    [
      ["-color_primaries", colorPrimaries],
      ["-color_trc", colorTransfer],
      ["-colorspace", colorSpace],
      ["-color_range", colorRange]
    ] as const
  ).flatMap(([option, value]) => (declaredValue(value) === undefined ? [] : [option, value!]))

/** Maximum frames of one part: their positions are kept in memory. */
const maxFrames = 4_000_000

/** The properties of audio that its arguments depend on. */
const audioOf = ({ channels, codec, duration, sampleRate }: AudioPart) => {
  const audioTrack: AudioStream = {
    stream: "a:0",
    codec,
    profile: undefined,
    channels,
    sampleRate,
    bitrate: undefined,
    language: undefined,
    startTime: 0
  }
  const info: MediaInfo = {
    container: "nut",
    duration,
    size: 0,
    bitrate: undefined,
    video: undefined,
    audio: [audioTrack],
    pictures: [],
    chapters: [],
    tags: {},
    raw: { format: {}, streams: [], chapters: [] }
  }
  return { audioTrack, info }
}

/**
 * Encodes parts of a video. Video always uses the software encoder of its codec, because output of different encoders
 * cannot be joined.
 */
export class PartEncoder extends Context.Service<
  PartEncoder,
  {
    /**
     * Returns the path of an MP4: the range in every rendition as one stream each, or the audio. `ToolMissing`: the
     * tools of this machine would give a different result than those of the server.
     */
    readonly encode: (work: PartWork) => Effect.Effect<string, PartError>
  }
>()("@kinora/media/parts/PartEncoder") {
  static readonly layer = Layer.effect(
    PartEncoder,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const process = yield* FfmpegProcess
      const settings = yield* MediaSettings
      const { report } = yield* Tools
      const limits = { memory: settings.encodeMemory, fileSize: settings.fileSize, background: true }

      const input = (path: string, options: ReadonlyArray<string> = []): FfmpegInput => ({
        path,
        kind: "cut",
        options: [...cutInput, ...options]
      })
      const invocation = (args: ReadonlyArray<string>) =>
        ({ tool: "ffmpeg", args, timeout: settings.encodeTimeout, limits }) as const

      const pictures = Effect.fnUntraced(function* (part: VideoPart, work: PartWork, scratch: string) {
        const { features } = report
        if (part.picture.hdr && !(features.zscale && features.tonemap)) {
          return yield* new ToolMissing({ tool: "ffmpeg", detail: "This ffmpeg cannot convert HDR" })
        }
        const renditions = part.renditions.map((one): Rendition => ({ ...one, hasVideo: true }))
        const file = (rendition: Rendition) => join(scratch, `${rendition.resolution}.mp4`)
        const { early, first, last, picture, preset } = part
        const shown = {
          interlaced: picture.interlaced,
          hdr: picture.hdr,
          colorTransfer: picture.colorTransfer,
          colorPrimaries: picture.colorPrimaries,
          colorSpace: picture.colorSpace
        }
        const graph = renditionGraph("0:v:0", shown, renditions, features, undefined, {
          first,
          early,
          last,
          rotation: picture.rotation
        })
        const encode = ffmpegArguments({
          globals: ["-copyts"],
          inputs: [input(work.source, colors(picture))],
          filterGraph: graph,
          outputs: renditions.map((rendition, index) => ({
            path: file(rendition),
            options: [
              ...["-map", pictureLabel(index), "-an", "-frames:v", String(part.renditions[index]!.frames)],
              ...videoArguments(rendition, { ...settings, preset })
            ]
          }))
        })
        const expected = part.renditions[0].frames
        let frames = 0
        yield* process.progress(invocation(encode), 0).pipe(
          Stream.runForEach(({ frame }) => {
            frames = frame
            return work.onFraction?.(Math.min(1, frame / Math.max(1, expected))) ?? Effect.void
          })
        )
        if (frames === 0) {
          return yield* new UnsupportedMedia({ reason: "no-frames", detail: "Nothing in the range can be decoded." })
        }
        const path = join(work.directory, "part.mp4")
        const made = yield* Effect.forEach(renditions, (rendition) => {
          const source = file(rendition)
          return Effect.map(readSamples(source, maxFrames), ([track]) => ({
            pieces: [{ path: source, track: track! }]
          }))
        })
        yield* mergeTracks(path, made)
        return path
      })

      const audioTrack = Effect.fnUntraced(function* (part: AudioPart, work: PartWork) {
        const path = join(work.directory, "part.mp4")
        const { info, audioTrack: stream } = audioOf(part)
        const args = ffmpegArguments({
          globals: ["-copyts"],
          inputs: [input(work.source)],
          outputs: [{ path, options: ["-map", "0:a:0", "-vn", ...audioArguments(stream, info)] }]
        })
        yield* process
          .progress(invocation(args), part.duration)
          .pipe(Stream.runForEach(({ fraction }) => work.onFraction?.(fraction) ?? Effect.void))
        return path
      })

      const encode = Effect.fn("PartEncoder.encode")(function* (work: PartWork) {
        if (work.output.kind === "audio") return yield* audioTrack(work.output, work)
        const scratch = yield* fs.makeTempDirectoryScoped({ directory: work.directory, prefix: ".part-" })
        return yield* pictures(work.output, work, scratch)
      }, Effect.scoped)

      return PartEncoder.of({ encode })
    })
  )
}
