import type { MediaInfo, VideoStream } from "../../src/probe/MediaInfo.ts"

/** A plain 30 fps H.264 stream, with some fields changed. */
export const video = (changes: Partial<VideoStream>): VideoStream => ({
  stream: "v:0",
  codec: "h264",
  profile: "High",
  level: 40,
  pixelFormat: "yuv420p",
  bitDepth: 8,
  width: 1280,
  height: 720,
  codedWidth: changes.width ?? 1280,
  codedHeight: changes.height ?? 720,
  rotation: 0,
  anamorphic: false,
  fps: 30,
  nominalFps: 30,
  variableFps: false,
  interlaced: false,
  hdr: false,
  colorTransfer: undefined,
  colorPrimaries: undefined,
  colorSpace: undefined,
  colorRange: undefined,
  bitrate: undefined,
  frames: undefined,
  keyframeInterval: 2,
  startsCut: false,
  startTime: 0,
  ...changes
})

/** A minute of media with AAC sound unless told otherwise. */
export const media = (stream: VideoStream | undefined, sound = true, duration = 60): MediaInfo => ({
  container: "mov",
  duration,
  size: 1_000_000,
  bitrate: undefined,
  video: stream,
  audio: sound
    ? [
        {
          stream: "a:0",
          codec: "aac",
          profile: "LC",
          channels: 2,
          sampleRate: 48000,
          bitrate: 128_000,
          language: undefined,
          startTime: 0
        }
      ]
    : [],
  pictures: [],
  chapters: [],
  tags: {},
  raw: { format: {}, streams: [], chapters: [] }
})
