import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, VideoStream } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import type { PartRendition, VideoPart, AudioPart } from "./PartOrder.ts"
import { type PlannedPart, declaredValue } from "./PartPlan.ts"

const turn = (rotation: number): VideoPart["picture"]["rotation"] =>
  rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0

/** The order for the encoder of a part. `renditions` are those of the plan. */
export const videoOrder = (
  { early, first, frames, last }: PlannedPart,
  video: VideoStream,
  renditions: ReadonlyArray<Rendition>,
  preset: MediaSettingsShape["preset"]
): VideoPart => {
  const wanted = renditions.map(({ hasVideo: _, ...rendition }, index): PartRendition => ({
    ...rendition,
    frames: frames[index]!
  }))
  return {
    kind: "video",
    first,
    early,
    last,
    preset,
    picture: {
      rotation: turn(video.rotation),
      interlaced: video.interlaced,
      hdr: video.hdr,
      colorTransfer: declaredValue(video.colorTransfer),
      colorPrimaries: declaredValue(video.colorPrimaries),
      colorSpace: declaredValue(video.colorSpace),
      colorRange: declaredValue(video.colorRange)
    },
    renditions: wanted as [PartRendition, ...Array<PartRendition>]
  }
}

export const audioOrder = ({ channels, codec, sampleRate }: AudioStream, duration: number): AudioPart => ({
  kind: "audio",
  codec,
  channels,
  sampleRate,
  duration
})
