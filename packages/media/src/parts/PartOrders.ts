import type { Rendition } from "../ladder/Rendition.ts"
import type { AudioStream, VideoStream } from "../probe/MediaInfo.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import type { PartRendition, PicturePart, SoundPart } from "./PartOrder.ts"
import { type PlannedPart, told } from "./PartPlan.ts"

const turn = (rotation: number): PicturePart["picture"]["rotation"] =>
  rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0

/** What whoever encodes a part is told. `renditions` are those of the plan. */
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
      colorTransfer: told(video.colorTransfer),
      colorPrimaries: told(video.colorPrimaries),
      colorSpace: told(video.colorSpace),
      colorRange: told(video.colorRange)
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
