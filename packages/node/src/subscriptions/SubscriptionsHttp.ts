import { Api } from "@kinora/domain/api/Api"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { VideoLists } from "@kinora/storage/videos/reads/VideoLists"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../config/Config.ts"
import { answer, jsonText } from "../http/Answer.ts"
import { permittedQuery } from "../videos/ListQuery.ts"
import { readerOf } from "../videos/Reader.ts"

/** What comes from the channels the user follows. */
export const layer = HttpApiBuilder.group(
  Api,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const lists = yield* VideoLists
    return handlers.handleAll({
      getUsersMeSubscriptionsVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const asking = Option.some(user)
            const permitted = yield* Effect.fromResult(
              permittedQuery(toVideoListQuery(query), asking, config.instance.default_nsfw_policy)
            )
            const scope = { _tag: "Subscriptions", accountId: user.accountId } as const
            return jsonText(yield* lists.list(permitted, readerOf(asking), scope))
          })
        )
    })
  })
)
