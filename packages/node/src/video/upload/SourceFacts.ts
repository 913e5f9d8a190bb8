import { UnreadableMedia, UnsupportedMediaFile } from "@kinora/domain/errors/UploadErrors"
import { resolutionOf } from "@kinora/media/ladder/Ladder"
import type { MediaInfo } from "@kinora/media/probe/MediaInfo"
import { playsAsItIs } from "@kinora/media/playable/PlaysAsItIs"
import { type AcceptedTypes, acceptedExtensions } from "./MediaTypes.ts"

/** ffmpeg's demuxers with the extension their files get here; the client's own is never used for a name. */
const extensions: Readonly<Record<string, string>> = {
  mov: ".mp4",
  matroska: ".mkv",
  webm: ".webm",
  ogg: ".ogv",
  avi: ".avi",
  flv: ".flv",
  asf: ".wmv",
  mpegts: ".ts",
  mpeg: ".mpg",
  mpegvideo: ".mpg",
  nut: ".nut",
  mxf: ".mxf",
  mp3: ".mp3",
  wav: ".wav",
  flac: ".flac",
  aac: ".aac",
  ac3: ".ac3"
}

export const sourceExtension = (info: MediaInfo): string => extensions[info.container] ?? ".media"

/** Why a file that can be read is not taken by this instance; undefined when it is. */
export const refusedSource = (
  info: MediaInfo,
  accepted: AcceptedTypes & { readonly transcoding: boolean }
): UnsupportedMediaFile | UnreadableMedia | undefined => {
  const unsupported = () => new UnsupportedMediaFile({ extensions: acceptedExtensions(accepted) })
  if (info.video === undefined && !accepted.audioFiles) return unsupported()
  const plain = info.container === "mov" || info.container === "matroska" || info.container === "ogg"
  if (!plain && info.video !== undefined && !accepted.additionalExtensions) return unsupported()
  if (accepted.transcoding) return undefined
  const playable = playsAsItIs(info)
  return playable.playable
    ? undefined
    : new UnreadableMedia({
        reason: `this instance does not transcode, and browsers cannot play it: ${playable.reason}`
      })
}

/** What is kept about the uploaded file. */
export const sourceFacts = (info: MediaInfo) => ({
  size: info.size,
  width: info.video?.width ?? null,
  height: info.video?.height ?? null,
  resolution: info.video === undefined ? 0 : resolutionOf(info),
  fps: info.video === undefined ? 0 : Math.round(info.video.fps * 1000) / 1000,
  metadata: info.raw
})
