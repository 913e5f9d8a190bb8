import { UnsupportedMedia } from "../errors/MediaErrors.ts"
import { isDecodable } from "../process/AllowList.ts"
import type { MediaSettingsShape } from "../settings/MediaSettings.ts"
import type { ProbeOutput } from "./ProbeOutput.ts"
import { readAudioStreams, readVideoStream } from "./ReadStreams.ts"

/** Why a readable file is refused before anything of it is decoded. Undefined if it is accepted. */
export const refusal = (output: ProbeOutput, settings: MediaSettingsShape): UnsupportedMedia | undefined => {
  const refuse = (reason: UnsupportedMedia["reason"], detail: string) => new UnsupportedMedia({ reason, detail })
  if (output.streams.length > settings.maxStreams) {
    return refuse(
      "too-many-streams",
      `The file has ${output.streams.length} streams, more than ${settings.maxStreams}.`
    )
  }
  const video = readVideoStream(output)
  if (video === undefined) {
    return readAudioStreams(output).length > 0
      ? undefined
      : refuse("no-streams", "The file has no video or audio that we can read.")
  }
  if (!isDecodable(video.codec)) return refuse("codec", `Videos with the codec ${video.codec} are not accepted.`)
  if (video.codedWidth < 2 || video.codedHeight < 2) return refuse("no-frames", "The video has no size.")
  const pixels = Math.max(video.codedWidth * video.codedHeight, video.width * video.height)
  if (pixels > settings.maxPixels || Math.max(video.width, video.height, video.codedWidth, video.codedHeight) > 16384) {
    return refuse("too-many-pixels", `A picture of ${video.codedWidth}x${video.codedHeight} is larger than allowed.`)
  }
  if (video.fps > settings.maxFps) {
    return refuse("too-many-frames", `${Math.round(video.fps)} frames a second are more than allowed.`)
  }
  return undefined
}
