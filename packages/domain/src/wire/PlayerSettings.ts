import { Schema } from "effect"
import { channelPlayerThemes, videoPlayerThemes } from "../enums/PlayerTheme.ts"

/** How the player of a video looks. */
export const PlayerVideoSettings = Schema.Struct({ theme: Schema.Literals(videoPlayerThemes) }).annotate({
  identifier: "PlayerVideoSettings"
})
export type PlayerVideoSettings = typeof PlayerVideoSettings.Type

/** How the players of a channel's videos look. */
export const PlayerChannelSettings = Schema.Struct({ theme: Schema.Literals(channelPlayerThemes) }).annotate({
  identifier: "PlayerChannelSettings"
})
export type PlayerChannelSettings = typeof PlayerChannelSettings.Type
