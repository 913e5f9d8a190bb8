import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoChannelActivity } from "@kinora/domain/wire/ChannelActivity"
import type { JsonPage } from "@kinora/domain/wire/Json"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { ChannelActivities } from "@kinora/storage/people/collaborator/ChannelActivities"
import { Context, Effect, Layer, Option } from "effect"
import { mayOnChannel } from "../channel/ChannelRights.ts"

/** The activity log of a channel, for those who work on it and for moderators. */
export class ChannelActivityLog extends Context.Service<
  ChannelActivityLog,
  {
    /** `{"total":…,"data":[…]}` as JSON text (contract: ChannelActivityListResponse). */
    readonly list: (
      user: CurrentUserShape,
      channel: ActorHandle,
      page: ListPage<"createdAt">
    ) => Effect.Effect<JsonPage<VideoChannelActivity>, VideoChannelNotFound | Forbidden | DatabaseUnavailable>
  }
>()("@kinora/node/people/collaborator/ChannelActivityLog") {
  static readonly layer = Layer.effect(
    ChannelActivityLog,
    Effect.gen(function* () {
      const channels = yield* ChannelRows
      const activities = yield* ChannelActivities
      const list = Effect.fn("ChannelActivityLog.list")(function* (
        user: CurrentUserShape,
        handle: ActorHandle,
        page: ListPage<"createdAt">
      ) {
        const channel = yield* channels.byHandle(handle)
        if (Option.isNone(channel)) return yield* new VideoChannelNotFound()
        if (!mayOnChannel(user, "see", channel.value)) {
          return yield* new Forbidden({ reason: "Only those who manage a channel see its activities" })
        }
        return yield* activities.list(channel.value.id, page)
      })
      return ChannelActivityLog.of({ list })
    })
  )
}
