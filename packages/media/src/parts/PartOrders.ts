import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, VideoStream } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import type { PartRendition, PicturePart, SoundPart } from "./PartOrder.ts"
import { type PlannedPart, declaredValue } from "./PartPlan.ts"

const turn = (rotation: number): PicturePart["picture"]["rotation"] =>
  rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0

/** What the encoder of a part receives. `renditions` are those of the plan. */
export const pictureOrder = (
  { early, first, frames, last }: PlannedPart,
  video: VideoStream,
  renditions: ReadonlyArray<Rendition>,
  preset: MediaSettingsShape["preset"]
): PicturePart => {
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

export const soundOrder = ({ channels, codec, sampleRate }: AudioStream, duration: number): SoundPart => ({
  kind: "audio",
  codec,
  channels,
  sampleRate,
  duration
})
