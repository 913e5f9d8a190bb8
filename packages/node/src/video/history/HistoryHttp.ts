import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { HistoryRows } from "@kinora/storage/video/history/HistoryRows"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

/** The watch history of the user. */
export const layer = apiGroup(
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
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            if (!(yield* rows.remove(user.id, params.videoIdOrUUID))) return yield* new VideoNotFound()
          })
        ),
      postUsersMeHistoryVideosRemove: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => rows.removeBefore(user.id, payload.beforeDate ?? null)))
    } satisfies Answers<"myHistory">)
  })
)
