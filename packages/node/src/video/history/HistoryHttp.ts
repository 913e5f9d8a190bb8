import { Api } from "@kinora/domain/api/Api"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, jsonText } from "../../platform/http/Answer.ts"

/** What the user who asks has watched. */
export const layer = HttpApiBuilder.group(
  Api,
  "myHistory",
  Effect.fnUntraced(function* (handlers) {
    const rows = yield* HistoryRows

    return handlers.handleAll({
      getUsersMeHistoryVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const { search, ...page } = query
            const asked = { ...defaultPage, ...page, ...(search === undefined || search === "" ? {} : { search }) }
            return jsonText(yield* rows.list({ userId: user.id, accountId: user.accountId }, asked))
          })
        ),
      deleteUsersMeHistoryVideosByVideoIdOrUUID: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.remove(user.id, params.videoIdOrUUID))),
      postUsersMeHistoryVideosRemove: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.removeBefore(user.id, payload.beforeDate ?? null)))
    })
  })
)
