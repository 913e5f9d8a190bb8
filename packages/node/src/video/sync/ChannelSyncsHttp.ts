import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { jsonMember } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { ChannelSyncs } from "./ChannelSyncs.ts"

/** The endpoints of channel synchronisations. */
export const layer = apiGroup(
  "channelSyncs",
  Effect.fnUntraced(function* (handlers) {
    const syncs = yield* ChannelSyncs

    return handlers.handleAll({
      addVideoChannelSync: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const made = yield* syncs.create(yield* CurrentUser, payload)
            return jsonText(jsonMember("videoChannelSync", made))
          })
        ),
      delVideoChannelSync: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => syncs.remove(user, params.channelSyncId))),
      triggerVideoChannelSync: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => syncs.trigger(user, params.channelSyncId)))
    } satisfies Answers<"channelSyncs">)
  })
)
