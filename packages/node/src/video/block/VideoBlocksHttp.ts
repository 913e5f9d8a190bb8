import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { defaultPage } from "@kinora/domain/requests/Pagination"
import { CurrentUser, type CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { VideoBlockLists } from "@kinora/storage/video/block/VideoBlockLists"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presented } from "../list/Presented.ts"
import type { Presented } from "../list/VideoAccess.ts"
import { VideoBlocks } from "./VideoBlocks.ts"

const newestFirst = { by: "createdAt", descending: true } as const

/** Blocked videos. */
export const layer = apiGroup(
  "videoBlocks",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* VideoBlocks
    const lists = yield* VideoBlockLists
    const asked = <E extends ProblemError>(
      request: HttpServerRequest,
      act: (user: CurrentUserShape, shown: Presented) => Effect.Effect<void, E>
    ) => answer(Effect.flatMap(CurrentUser, (user) => act(user, presented(request, Option.some(user)))))

    return handlers.handleAll({
      getVideoBlocks: ({ query }) => {
        const { search, sort = newestFirst, type } = query
        const page = { ...defaultPage, ...query, sort, type, search: search === "" ? undefined : search }
        return answer(Effect.map(lists.list(page), (text) => jsonText(text)))
      },
      addVideoBlock: ({ params, payload, request }) =>
        asked(request, (user, shown) => blocks.add(user, params.id, payload, shown)),
      updateVideoBlacklist: ({ params, payload, request }) =>
        asked(request, (user, shown) => blocks.update(user, params.id, payload, shown)),
      delVideoBlock: ({ params, request }) => asked(request, (user, shown) => blocks.remove(user, params.id, shown))
    } satisfies Answers<"videoBlocks">)
  })
)
