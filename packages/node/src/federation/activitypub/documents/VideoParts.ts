import type { ChaptersDocument, PlayerSettingsDocument } from "@kinora/federation/documents/VideoPartDocuments"
import type { ChaptersRow, PlayerSettingsRow } from "@kinora/storage/federation/activitypub/rows/VideoPartRows"

/** The chapters of a video. Each ends where the next begins, the last one with the video. */
export const chaptersDocument = ({ chapters, duration, videoUrl }: ChaptersRow): ChaptersDocument => ({
  id: `${videoUrl}/chapters`,
  hasPart: chapters.map(({ timecode, title }, i) => ({
    name: title,
    startOffset: timecode,
    endOffset: chapters[i + 1]?.timecode ?? Math.max(duration, timecode)
  }))
})

/** How a video, or the videos of a channel, are to be played. */
export const playerSettingsDocument = ({ theme, url }: PlayerSettingsRow): PlayerSettingsDocument => ({
  type: "PlayerSettings",
  id: `${url}/player-settings`,
  object: url,
  theme
})
