import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { ChannelSyncs } from "./ChannelSyncs.ts"

/** Synchronisations of channels. */
export const layer = HttpApiBuilder.group(
  Api,
  "channelSyncs",
  Effect.fnUntraced(function* (handlers) {
    const syncs = yield* ChannelSyncs

    return handlers.handleAll({
      addVideoChannelSync: ({ payload }) =>
        answer(
          Effect.gen(function* () {
            const made = yield* syncs.create(yield* CurrentUser, payload)
            return jsonText(`{"videoChannelSync":${made}}`)
          })
        ),
      delVideoChannelSync: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => syncs.remove(user, params.channelSyncId))),
      triggerVideoChannelSync: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => syncs.trigger(user, params.channelSyncId)))
    })
  })
)
