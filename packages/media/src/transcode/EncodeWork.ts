import type { StoryboardPlan } from "../images/StoryboardPlan.ts"
import type { Rendition } from "../ladder/Rendition.ts"
import type { FfmpegInput, FfmpegOutput, FfmpegWork } from "../process/FfmpegCommand.ts"
import type { MediaInfo, VideoStream } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import type { ToolFeatures } from "../tools/ToolFeatures.ts"
import { audioArguments, videoArguments } from "./EncoderArguments.ts"
import { pictureLabel, renditionGraph } from "./FilterGraph.ts"
import { spriteFilters } from "../images/StoryboardFilters.ts"
import type { PackagedRendition, Track } from "./Package.ts"
import { deviceArguments, encoderFor, type VideoEncoder } from "./VideoEncoder.ts"

export interface EncodeOptions {
  readonly source: string
  readonly info: MediaInfo
  readonly renditions: ReadonlyArray<Rendition>
  readonly plan: StoryboardPlan | undefined
  /** Output for the storyboard: a video with one frame every `spriteDuration` seconds. */
  readonly sprites: string | undefined
  /** A JPEG of ours in the size of the top rendition, for audio only. */
  readonly still: string | undefined
  readonly scratch: string
  readonly settings: MediaSettingsShape
  readonly features: ToolFeatures
  /** Encodes the renditions of its codec. */
  readonly videoEncoder?: VideoEncoder | undefined
}

/** A still image is a video of few frames. */
const stillStream = (top: Rendition): VideoStream => ({
  stream: "v:0",
  codec: "mjpeg",
  profile: undefined,
  level: undefined,
  pixelFormat: "yuvj420p",
  bitDepth: 8,
  width: top.width,
  height: top.height,
  codedWidth: top.width,
  codedHeight: top.height,
  rotation: 0,
  anamorphic: false,
  fps: top.frameRate.value,
  nominalFps: top.frameRate.value,
  variableFps: false,
  interlaced: false,
  hdr: false,
  colorTransfer: undefined,
  colorPrimaries: undefined,
  colorSpace: undefined,
  colorRange: undefined,
  bitrate: undefined,
  frames: undefined,
  keyframeInterval: undefined,
  startsCut: false,
  startTime: 0
})

/**
 * The single ffmpeg pass: every rendition's video in a file of its own, the audio once, the storyboard. Pure. Also
 * returns which stream of which file belongs to which rendition.
 */
export const encodeWork = (
  options: EncodeOptions
): {
  readonly work: FfmpegWork
  readonly renditions: ReadonlyArray<PackagedRendition>
  readonly audio: Track | undefined
} => {
  const { features, info, scratch, settings, source, videoEncoder } = options
  const pictures = options.renditions.filter((rendition) => rendition.hasVideo)
  const [top] = pictures
  const [audioStream] = info.audio
  const video = info.video ?? (top === undefined ? undefined : stillStream(top))
  const loop = (still: string, rendition: Rendition): FfmpegInput => ({
    path: still,
    kind: "picture",
    options: ["-f", "jpeg_pipe", "-loop", "1", "-framerate", rendition.frameRate.text, "-t", String(info.duration)]
  })
  const inputs: ReadonlyArray<FfmpegInput> = [
    { path: source, kind: "upload" },
    ...(options.still === undefined || top === undefined ? [] : [loop(options.still, top)])
  ]
  const input = `${info.video === undefined ? 1 : 0}:${video?.stream ?? "v:0"}`
  const file = (rendition: Rendition) => `${scratch}/${rendition.resolution}.mp4`
  const audioFile = `${scratch}/sound.mp4`

  const outputs: ReadonlyArray<FfmpegOutput> = [
    ...pictures.map((rendition, index) => ({
      path: file(rendition),
      options: ["-map", pictureLabel(index), "-an", ...videoArguments(rendition, settings, videoEncoder)]
    })),
    ...(audioStream === undefined
      ? []
      : [
          { path: audioFile, options: ["-map", `0:${audioStream.stream}`, "-vn", ...audioArguments(audioStream, info)] }
        ]),
    ...(options.plan === undefined || options.sprites === undefined || video === undefined
      ? []
      : [
          {
            path: options.sprites,
            // The sheet is not arranged here: ffmpeg reports no progress before every output has started, and a sheet
            // starts at the end.
            options: ["-map", input, "-vf", spriteFilters(options.plan, video, features), "-c:v", "mjpeg", "-q:v", "2"]
          }
        ])
  ]
  const chip = pictures.map((rendition) => encoderFor(rendition, videoEncoder)).find((one) => one === videoEncoder)
  return {
    work: {
      globals: chip === undefined ? [] : deviceArguments(chip),
      inputs,
      filterGraph:
        video === undefined || top === undefined
          ? undefined
          : renditionGraph(input, video, pictures, features, videoEncoder),
      outputs
    },
    renditions: options.renditions.map((rendition) => ({
      resolution: rendition.resolution,
      width: rendition.width,
      height: rendition.height,
      fps: rendition.frameRate.value,
      codec: rendition.codec,
      video: rendition.hasVideo ? { path: file(rendition), stream: "v:0" } : undefined
    })),
    audio: audioStream === undefined ? undefined : { path: audioFile, stream: "a:0" }
  }
}
