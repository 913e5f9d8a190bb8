import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { ChannelActivityLog } from "./ChannelActivityLog.ts"

/** The activity log of a channel. */
export const layer = apiGroup(
  "channelActivities",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* ChannelActivityLog
    return handlers.handleAll({
      listVideoChannelActivities: ({ params, query }) =>
        answer(
          Effect.flatMap(CurrentUser, (user) =>
            Effect.map(log.list(user, params.channelHandle, toListPage(query)), (text) => jsonText(text))
          )
        )
    } satisfies Answers<"channelActivities">)
  })
)
