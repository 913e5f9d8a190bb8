import { type ChannelPlayerTheme, type PlayerTheme, type VideoPlayerTheme } from "@kinora/domain/enums/PlayerTheme"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** A video or channel, and the account that changes it. Who may do it is decided before. */
interface Changed {
  readonly id: number
  readonly accountId: number
}

/** How players look. What a video leaves open its channel decides, and what that leaves open the instance. */
export class PlayerSettings extends Context.Service<
  PlayerSettings,
  {
    /** The theme of a video: the chosen one if `raw`, otherwise the one that a player shows. */
    readonly ofVideo: (
      videoId: number,
      raw: boolean
    ) => Effect.Effect<VideoPlayerTheme, VideoNotFound | DatabaseUnavailable>
    /** The same for a channel. */
    readonly ofChannel: (
      channelId: number,
      raw: boolean
    ) => Effect.Effect<ChannelPlayerTheme, VideoChannelNotFound | DatabaseUnavailable>
    readonly setOfVideo: (
      video: Changed,
      theme: VideoPlayerTheme
    ) => Effect.Effect<void, VideoNotFound | DatabaseUnavailable>
    readonly setOfChannel: (
      channel: Changed,
      theme: ChannelPlayerTheme
    ) => Effect.Effect<void, VideoChannelNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/video/player/PlayerSettings") {
  static readonly layer = Layer.effect(
    PlayerSettings,
    Effect.gen(function* () {
      const themes = yield* PlayerThemes
      const { player } = (yield* KinoraConfig).defaults
      const ofChannel = (theme: ChannelPlayerTheme): PlayerTheme =>
        theme === "instance-default" ? player.theme : theme
      const ofVideo = (theme: VideoPlayerTheme, channel: ChannelPlayerTheme): PlayerTheme =>
        ofChannel(theme === "channel-default" ? channel : theme)
      return PlayerSettings.of({
        ofVideo: Effect.fn("PlayerSettings.ofVideo")(function* (videoId, raw) {
          const { channel, video } = (yield* themes.ofVideo(videoId)) ?? (yield* new VideoNotFound())
          return raw ? video : ofVideo(video, channel)
        }),
        ofChannel: Effect.fn("PlayerSettings.ofChannel")(function* (channelId, raw) {
          const theme = (yield* themes.ofChannel(channelId)) ?? (yield* new VideoChannelNotFound())
          return raw ? theme : ofChannel(theme)
        }),
        setOfVideo: Effect.fn("PlayerSettings.setOfVideo")(function* ({ accountId, id }, theme) {
          if (!(yield* themes.setOfVideo(id, accountId, theme))) return yield* new VideoNotFound()
        }),
        setOfChannel: Effect.fn("PlayerSettings.setOfChannel")(function* ({ accountId, id }, theme) {
          if (!(yield* themes.setOfChannel(id, accountId, theme))) return yield* new VideoChannelNotFound()
        })
      })
    })
  )
}
