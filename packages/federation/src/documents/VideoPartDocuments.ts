import { videoPlayerThemes } from "@kinora/domain/enums/PlayerTheme"
import { Schema } from "effect"

/** The chapters of a video (contract: Chapters). Offsets are in seconds. */
export const ChaptersDocument = Schema.Struct({
  id: Schema.String,
  hasPart: Schema.Array(Schema.Struct({ name: Schema.String, startOffset: Schema.Natural, endOffset: Schema.Natural }))
})
export type ChaptersDocument = typeof ChaptersDocument.Type

/** How a video, or the videos of a channel, are to be played (contract: PlayerSettings). */
export const PlayerSettingsDocument = Schema.Struct({
  type: Schema.Literal("PlayerSettings"),
  id: Schema.String,
  /** The video or the channel. */
  object: Schema.String,
  theme: Schema.Literals(videoPlayerThemes)
})
export type PlayerSettingsDocument = typeof PlayerSettingsDocument.Type
