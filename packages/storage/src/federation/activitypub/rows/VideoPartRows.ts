import { Schema } from "effect"
import { videoPlayerThemes } from "@kinora/domain/enums/PlayerTheme"

/** The chapters of a video. Times are in seconds. */
export const ChaptersRow = Schema.Struct({
  videoUrl: Schema.String,
  duration: Schema.Int,
  /** By their time. */
  chapters: Schema.Array(Schema.Struct({ title: Schema.String, timecode: Schema.Natural }))
})
export type ChaptersRow = typeof ChaptersRow.Type

/** Selects `ChaptersRow` of the videos `v` that meet a condition. */
export const selectChapters = (condition: string): string => `
  select v.url as "videoUrl", v.duration, (
    select coalesce(json_agg(c), '[]') from (
      select title, timecode from video_chapter where video_id = v.id order by timecode
    ) c
  ) as chapters
  from video v where ${condition}`

/** How a video, or the videos of a channel, are to be played. */
export const PlayerSettingsRow = Schema.Struct({ url: Schema.String, theme: Schema.Literals(videoPlayerThemes) })
export type PlayerSettingsRow = typeof PlayerSettingsRow.Type

/** Selects `PlayerSettingsRow` of the videos `v` that meet a condition. */
export const selectPlayerSettings = (condition: string): string => `
  select v.url, v.player_theme as theme from video v where ${condition}`

/** Selects `PlayerSettingsRow` of the channels `c`, with the actors `a`, that meet a condition. */
export const selectChannelPlayerSettings = (condition: string): string => `
  select a.url, c.player_theme as theme from video_channel c join actor a on a.id = c.actor_id where ${condition}`

/** A copy of a video's streaming playlist that this instance serves. */
export const CacheFileRow = Schema.Struct({
  url: Schema.String,
  videoUrl: Schema.String,
  /** Folder of its files. */
  baseUrl: Schema.String,
  /** Null: it stays. */
  expiresAt: Schema.NullOr(Schema.Date)
})
export type CacheFileRow = typeof CacheFileRow.Type
