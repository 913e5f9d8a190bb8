import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { HistoryLists } from "@kinora/storage/video/history/HistoryLists"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { WatchHistory } from "./WatchHistory.ts"

/** The watch history of the user. */
export const layer = apiGroup(
  "myHistory",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* HistoryLists
    const history = yield* WatchHistory

    return handlers.handleAll({
      getUsersMeHistoryVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const { search, ...page } = query
            const asked = { ...defaultPage, ...page, ...(search === undefined || search === "" ? {} : { search }) }
            return jsonText(yield* lists.list({ userId: user.id, accountId: user.accountId }, asked))
          })
        ),
      deleteUsersMeHistoryVideosByVideoIdOrUUID: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => history.remove(user, params.videoIdOrUUID))),
      postUsersMeHistoryVideosRemove: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => history.removeBefore(user, payload.beforeDate ?? null)))
    } satisfies Answers<"myHistory">)
  })
)
