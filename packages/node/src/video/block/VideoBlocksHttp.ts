import { Api } from "@kinora/domain/api/Api"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { VideoBlockLists } from "@kinora/storage/video/block/VideoBlockLists"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { VideoBlocks } from "./VideoBlocks.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** Blocked videos. */
export const layer = HttpApiBuilder.group(
  Api,
  "videoBlocks",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* VideoBlocks
    const lists = yield* VideoBlockLists

    return handlers.handleAll({
      getVideoBlocks: ({ query }) => {
        const { search, sort = newestFirst, type } = query
        const page = { ...defaultPage, ...query, sort, type, search: search === "" ? undefined : search }
        return answer(Effect.map(lists.list(page), (text) => jsonText(text)))
      },
      addVideoBlock: ({ params, payload, request }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.add(user, params.id, payload, request))),
      updateVideoBlacklist: ({ params, payload, request }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.update(user, params.id, payload, request))),
      delVideoBlock: ({ params, request }) =>
        answer(Effect.flatMap(CurrentUser, (user) => blocks.remove(user, params.id, request)))
    } satisfies Answers<"videoBlocks">)
  })
)
