import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelActivities } from "@kinora/storage/people/collaborator/ChannelActivities"
import { Effect, Layer, Option } from "effect"
import { mayOnChannel } from "../channel/ChannelRights.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

/** The activity log of a channel, for those who work on it and for moderators. */
export const layer = apiGroup(
  "channelActivities",
  Effect.fnUntraced(function* (handlers) {
    const channels = yield* ChannelRows
    const activities = yield* ChannelActivities

    return handlers.handleAll({
      listVideoChannelActivities: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const channel = yield* channels.byHandle(params.channelHandle)
            if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
            if (!mayOnChannel(user, "see", channel.value)) {
              return yield* new Forbidden({ reason: "Only those who manage a channel see its activities" })
            }
            return jsonText(yield* activities.list(channel.value.id, toListPage(query)))
          })
        )
    } satisfies Answers<"channelActivities">)
  })
).pipe(Layer.provide([ChannelRows.layer, ChannelActivities.layer]))
