import { Viewer } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Searches } from "./Searches.ts"

/** Searches for videos, channels and playlists. */
export const layer = apiGroup(
  "search",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* Searches
    return handlers.handleAll({
      searchVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            yield* searches.check(query.searchTarget)
            const { user } = yield* Viewer
            return jsonText(yield* searches.videos(query, user))
          })
        ),
      searchChannels: ({ query }) =>
        answer(
          Effect.gen(function* () {
            yield* searches.check(query.searchTarget)
            const { user } = yield* Viewer
            const search = {
              start: query.start ?? 0,
              count: query.count ?? 15,
              sort: query.sort ?? ({ by: "match", descending: true } as const),
              text: query.search,
              handles: query.handles,
              host: query.host
            }
            return jsonText(yield* searches.channels(search, user))
          })
        ),
      searchPlaylists: ({ query }) =>
        answer(
          Effect.gen(function* () {
            yield* searches.check(query.searchTarget)
            const { user } = yield* Viewer
            const search = {
              start: query.start ?? 0,
              count: query.count ?? 15,
              sort: query.sort ?? ({ by: "match", descending: true } as const),
              text: query.search,
              uuids: query.uuids,
              host: query.host
            }
            return jsonText(yield* searches.playlists(search, user))
          })
        )
    } satisfies Answers<"search">)
  })
)
