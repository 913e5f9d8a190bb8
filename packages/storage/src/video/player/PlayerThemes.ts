import { ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import type { ChannelPlayerTheme, VideoPlayerTheme } from "@kinora/domain/enums/PlayerTheme"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { recordActivity } from "../../people/collaborator/ChannelActivities.ts"
import { holdOwnersOf, recordVideoActivity } from "../../people/collaborator/VideoActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** The choices of a video and of its channel. */
export interface VideoThemes {
  readonly video: VideoPlayerTheme
  readonly channel: ChannelPlayerTheme
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const ofVideo = Effect.fn("PlayerThemes.ofVideo")(function* (videoId: number) {
    const [row] = yield* sql<VideoThemes>`
      select v.player_theme as video, c.player_theme as channel
      from video v join video_channel c on c.id = v.channel_id where v.id = ${videoId}
    `
    return row
  }, withDatabaseErrors)

  const ofChannel = Effect.fn("PlayerThemes.ofChannel")(function* (channelId: number) {
    const [row] = yield* sql<{ theme: ChannelPlayerTheme }>`
      select player_theme as theme from video_channel where id = ${channelId}
    `
    return row?.theme
  }, withDatabaseErrors)

  const setOfVideo = Effect.fn("PlayerThemes.setOfVideo")(
    function* (videoId: number, accountId: number, theme: VideoPlayerTheme) {
      yield* holdOwnersOf(sql, videoId)
      const changed = yield* sql`
        update video set player_theme = ${theme}, updated_at = now() where id = ${videoId} and not remote returning id
      `
      if (changed.length === 0) return false
      yield* recordVideoActivity(sql, { videoId, accountId, action: ChannelActivityAction.update })
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const setOfChannel = Effect.fn("PlayerThemes.setOfChannel")(
    function* (channelId: number, accountId: number, theme: ChannelPlayerTheme) {
      const changed = yield* sql`
        update video_channel set player_theme = ${theme}, updated_at = now() where id = ${channelId} returning id
      `
      if (changed.length === 0) return false
      yield* recordActivity(sql, {
        channelId,
        accountId,
        action: ChannelActivityAction.update,
        targetType: ChannelActivityTarget.channel,
        target: {}
      })
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return PlayerThemes.of({ ofVideo, ofChannel, setOfVideo, setOfChannel })
})

/** Player themes of videos and channels. */
export class PlayerThemes extends Context.Service<
  PlayerThemes,
  {
    /** Undefined if there is no such video. */
    readonly ofVideo: (videoId: number) => Effect.Effect<VideoThemes | undefined, DatabaseUnavailable>
    /** Undefined if there is no such channel. */
    readonly ofChannel: (channelId: number) => Effect.Effect<ChannelPlayerTheme | undefined, DatabaseUnavailable>
    /** False if there is no such local video. */
    readonly setOfVideo: (
      videoId: number,
      accountId: number,
      theme: VideoPlayerTheme
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** False if there is no such channel. */
    readonly setOfChannel: (
      channelId: number,
      accountId: number,
      theme: ChannelPlayerTheme
    ) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/players/PlayerThemes") {
  static readonly layer = Layer.effect(PlayerThemes, make)
}
