import { type ChannelPlayerTheme, type PlayerTheme, type VideoPlayerTheme } from "@kinora/domain/enums/PlayerTheme"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ChannelRow } from "@kinora/storage/people/channel/ChannelRows"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { Context, Effect, Layer } from "effect"
import { ChannelActs } from "../../people/channel/ChannelActs.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { Editable } from "../edit/EditableVideos.ts"
import { VideoActs } from "../list/VideoActs.ts"

/** How players look. Who may change it is decided before. What a video leaves open its channel decides, and what that leaves open the instance. */
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
      editable: Editable,
      theme: VideoPlayerTheme
    ) => Effect.Effect<void, VideoNotFound | DatabaseUnavailable>
    readonly setOfChannel: (
      user: CurrentUserShape,
      channel: ChannelRow,
      theme: ChannelPlayerTheme
    ) => Effect.Effect<void, VideoChannelNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/video/player/PlayerSettings") {
  static readonly layer = Layer.effect(
    PlayerSettings,
    Effect.gen(function* () {
      const themes = yield* PlayerThemes
      const acts = yield* VideoActs
      const channelActs = yield* ChannelActs
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
        setOfVideo: Effect.fn("PlayerSettings.setOfVideo")(function* (editable, theme) {
          const { user, video } = editable
          const around = acts.change(editable, { action: "set-player-settings" })
          if (!(yield* around(themes.setOfVideo(video.id, user.accountId, theme)))) return yield* new VideoNotFound()
        }),
        setOfChannel: Effect.fn("PlayerSettings.setOfChannel")(function* (user, channel, theme) {
          const around = channelActs.change({ user, channel }, "edit", { action: "set-player-settings" })
          const changed = yield* around(themes.setOfChannel(channel.id, user.accountId, theme))
          if (!changed) return yield* new VideoChannelNotFound()
        })
      })
    })
  )
}
