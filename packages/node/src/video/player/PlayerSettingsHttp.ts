import {
  type ChannelPlayerTheme,
  instancePlayerTheme,
  type PlayerTheme,
  type VideoPlayerTheme
} from "@kinora/domain/enums/PlayerTheme"
import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { PlayerThemes } from "@kinora/storage/video/player/PlayerThemes"
import { Effect, Option } from "effect"
import { Channels } from "../../people/channel/Channels.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"

const ofChannel = (theme: ChannelPlayerTheme): PlayerTheme =>
  theme === "instance-default" ? instancePlayerTheme : theme

const ofVideo = (theme: VideoPlayerTheme, channel: ChannelPlayerTheme): PlayerTheme =>
  ofChannel(theme === "channel-default" ? channel : theme)

/** Player settings. A change returns the chosen values. */
export const layer = apiGroup(
  "playerSettings",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const channels = yield* Channels
    const rows = yield* ChannelRows
    const themes = yield* PlayerThemes

    return handlers.handleAll({
      getVideoPlayerSettings: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const { id } = yield* access.open(params.id, yield* presentedByViewer(request))
            const { channel, video } = (yield* themes.ofVideo(id)) ?? (yield* new VideoNotFound())
            return { theme: query.raw === true ? video : ofVideo(video, channel) }
          })
        ),
      updateVideoPlayerSettings: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { user, video } = yield* editable.open(params.id, request)
            const set = yield* themes.setOfVideo(video.id, user.accountId, payload.theme)
            return set ? { theme: payload.theme } : yield* new VideoNotFound()
          })
        ),
      getChannelPlayerSettings: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* rows.byHandle(params.channelHandle)
            const theme = Option.isNone(channel) ? undefined : yield* themes.ofChannel(channel.value.id)
            if (theme === undefined) return yield* new VideoChannelNotFound()
            return { theme: query.raw === true ? theme : ofChannel(theme) }
          })
        ),
      updateChannelPlayerSettings: ({ params, payload }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const channel = yield* channels.open(params.channelHandle, user, "edit")
            const set = yield* themes.setOfChannel(channel.id, user.accountId, payload.theme)
            return set ? { theme: payload.theme } : yield* new VideoChannelNotFound()
          })
        )
    } satisfies Answers<"playerSettings">)
  })
)
