import { Api } from "@kinora/domain/api/Api"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { permittedQuery } from "../list/ListQuery.ts"
import { readerOf } from "../list/Reader.ts"
import { Overviews } from "./Overviews.ts"

/** What the instance has, a little of everything. */
export const layer = HttpApiBuilder.group(
  Api,
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
    })
  })
)
