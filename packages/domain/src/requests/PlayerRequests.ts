import { Schema } from "effect"
import { channelPlayerThemes, videoPlayerThemes } from "../enums/PlayerTheme.ts"
import { field, optional } from "../fields/Field.ts"
import { boolean, oneOf } from "../fields/Readers.ts"

const theme = <const A extends string>(themes: ReadonlyArray<A>) =>
  field(oneOf(themes, `Must be one of ${themes.join(", ")}`))

/** How the player of a video looks (contract: PlayerVideoSettingsUpdate). */
export const UpdateVideoPlayer = Schema.Struct({ theme: theme(videoPlayerThemes) })

/** How the players of a channel's videos look (contract: PlayerChannelSettingsUpdate). */
export const UpdateChannelPlayer = Schema.Struct({ theme: theme(channelPlayerThemes) })

/** Whether to answer settings as stored, not as resolved. */
export const playerQuery = { raw: optional(boolean({ default: false })) }
