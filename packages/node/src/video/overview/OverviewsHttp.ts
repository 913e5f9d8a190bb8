import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { permittedQuery } from "../list/ListQuery.ts"
import { readerOf } from "../list/Reader.ts"
import { Overviews } from "./Overviews.ts"

/** The endpoints of overviews. */
export const layer = apiGroup(
  "overviews",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const overviews = yield* Overviews
    return handlers.handleAll({
      getVideosOverview: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const list = yield* Effect.fromResult(
              permittedQuery(toVideoListQuery({}), user, config.instance.default_nsfw_policy)
            )
            return jsonText(yield* overviews.page(query.page ?? 1, list, readerOf(user)))
          })
        )
    } satisfies Answers<"overviews">)
  })
)
