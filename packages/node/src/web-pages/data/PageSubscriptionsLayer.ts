import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { VideoList } from "@kinora/domain/wire/Video"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { Effect, Layer, Option, Result, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { PageSubscriptions } from "../PageSubscriptions.ts"
import { AccessTokens, originOf } from "../../people/session/AccessTokens.ts"
import { permittedQuery } from "../../video/list/ListQuery.ts"
import { readerOf } from "../../video/list/Reader.ts"

/** JSON from the database, used as it is. The tests of the code that produces it check its shape. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

/** Videos from subscriptions for their page, from the same queries as the API's. */
export const PageSubscriptionsLayer = Layer.effect(
  PageSubscriptions,
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const lists = yield* VideoLists
    const tokens = yield* AccessTokens
    return PageSubscriptions.of({
      list: Effect.fn("PageSubscriptions.list")(function* (token, page, { address, userAgent }) {
        const user = yield* Effect.option(tokens.authenticate(token, originOf(userAgent, address)))
        if (Option.isNone(user)) return Option.none()
        const asked = toVideoListQuery({ ...page, sort: { by: "publishedAt", descending: true } })
        const query = Result.getOrThrow(permittedQuery(asked, user, config.instance.default_nsfw_policy))
        const scope = { _tag: "Subscriptions", accountId: user.value.accountId } as const
        return Option.some(parse(yield* lists.list(query, readerOf(user), scope)) as VideoList)
      })
    })
  })
)
