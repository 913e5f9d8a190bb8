import type { VideoFile as FullFile } from "@kinora/domain/wire/VideoFile"
import { bytes } from "../i18n/Units.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/dialogs.ts"

const t = pageText("dialogs", messages)

/** One way to download a video: what it is called, how large it is, and where it is. */
export interface Download {
  readonly label: string
  readonly size: string
  readonly address: string
}

type VideoFile = Pick<
  FullFile,
  "id" | "resolution" | "fileUrl" | "fileDownloadUrl" | "fps" | "hasAudio" | "hasVideo" | "size"
>

interface Files {
  readonly uuid: string
  readonly files: ReadonlyArray<VideoFile>
  readonly streamingPlaylists: ReadonlyArray<{ readonly files: ReadonlyArray<VideoFile> }>
}

const generated = (uuid: string, files: ReadonlyArray<VideoFile>): string =>
  `/download/videos/generate/${uuid}?${files.map((it) => `videoFileIds=${it.id}`).join("&")}`

/** One for each resolution, the best first, then the sound alone. Picture and sound that are kept apart are put together. */
export const downloadsOf = ({ files, streamingPlaylists, uuid }: Files): ReadonlyArray<Download> => {
  const all = [...files, ...streamingPlaylists.flatMap((it) => it.files)]
  const sound = all.find((it) => it.hasAudio && !it.hasVideo)
  const heights = [...new Set(all.filter((it) => it.hasVideo).map((it) => it.resolution.id))].toSorted((a, b) => b - a)
  const pictures = heights.map((height): Download => {
    const ofHeight = all.filter((it) => it.hasVideo && it.resolution.id === height)
    const whole = ofHeight.find((it) => it.hasAudio) ?? ofHeight[0]!
    const parts = whole.hasAudio || sound === undefined ? [whole] : [whole, sound]
    const label = whole.fps > 30 ? `${whole.resolution.label} · ${whole.fps} fps` : whole.resolution.label
    return {
      label,
      size: bytes(parts.reduce((sum, it) => sum + it.size, 0)),
      address: parts.length === 1 && whole.fileDownloadUrl ? whole.fileDownloadUrl : generated(uuid, parts)
    }
  })
  if (sound === undefined) return pictures
  return [...pictures, { label: t("soundAlone"), size: bytes(sound.size), address: generated(uuid, [sound]) }]
}
