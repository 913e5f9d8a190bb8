import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { Effect, Option } from "effect"
import { Channels } from "../../people/channel/Channels.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { PlayerSettings } from "./PlayerSettings.ts"

/** Player settings. A change returns the chosen values. */
export const layer = apiGroup(
  "playerSettings",
  Effect.fnUntraced(function* (handlers) {
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const channels = yield* Channels
    const rows = yield* ChannelRows
    const settings = yield* PlayerSettings

    return handlers.handleAll({
      getVideoPlayerSettings: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const { id } = yield* access.open(params.id, yield* presentedByViewer(request))
            return { theme: yield* settings.ofVideo(id, query.raw === true) }
          })
        ),
      updateVideoPlayerSettings: ({ params, payload: { theme }, request }) =>
        answer(
          Effect.gen(function* () {
            yield* settings.setOfVideo(yield* editable.open(params.id, request), theme)
            return { theme }
          })
        ),
      getChannelPlayerSettings: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const channel = yield* rows.byHandle(params.channelHandle)
            if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
            return { theme: yield* settings.ofChannel(channel.value.id, query.raw === true) }
          })
        ),
      updateChannelPlayerSettings: ({ params, payload: { theme } }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* settings.setOfChannel(user, yield* channels.open(params.channelHandle, user, "edit"), theme)
            return { theme }
          })
        )
    } satisfies Answers<"playerSettings">)
  })
)
