import { VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { SubscriptionGroupNotFound } from "@kinora/domain/errors/SubscriptionErrors"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { SubscriptionGroupLists } from "@kinora/storage/social/subscription/SubscriptionGroupLists"
import { SubscriptionLists } from "@kinora/storage/social/subscription/SubscriptionLists"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { permittedQuery } from "../../video/list/ListQuery.ts"
import { readerOf } from "../../video/list/Reader.ts"
import { Subscriptions } from "./Subscriptions.ts"

/** The channels the user who asks follows, and what comes from them. */
export const layer = apiGroup(
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const videos = yield* VideoLists
    const lists = yield* SubscriptionLists
    const groups = yield* SubscriptionGroupLists
    const subscriptions = yield* Subscriptions

    /** A group that is named has to be the user's. */
    const checkGroup = Effect.fnUntraced(function* (userId: number, groupId: number | undefined) {
      if (groupId !== undefined && !(yield* groups.has(userId, groupId))) return yield* new SubscriptionGroupNotFound()
    })

    return handlers.handleAll({
      getUsersMeSubscriptionsVideos: ({ query: { groupId, ...query } }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* checkGroup(user.id, groupId)
            const asking = Option.some(user)
            const permitted = yield* Effect.fromResult(
              permittedQuery(toVideoListQuery(query), asking, config.instance.default_nsfw_policy)
            )
            const scope = { _tag: "Subscriptions", accountId: user.accountId, groupId } as const
            return jsonText(yield* videos.list(permitted, readerOf(asking), scope))
          })
        ),
      getUsersMeSubscriptions: ({ query: { groupId, ...query } }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            yield* checkGroup(user.id, groupId)
            return jsonText(yield* lists.list(user.id, toListPage(query), groupId))
          })
        ),
      postUsersMeSubscriptions: ({ payload }) =>
        answer(Effect.flatMap(CurrentUser, (user) => subscriptions.add(user.id, payload.uri.handle))),
      getUsersMeSubscriptionsExist: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const followed = yield* lists.exist(
              user.id,
              query.uris.map(({ handle }) => handle)
            )
            return Object.fromEntries(query.uris.map(({ uri }, place) => [uri, followed.has(place)]))
          })
        ),
      getUsersMeSubscriptionsBySubscriptionHandle: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const user = yield* CurrentUser
            const found = yield* lists.find(user.id, params.subscriptionHandle)
            return Option.isNone(found) ? yield* new VideoChannelNotFound() : jsonText(found.value)
          })
        ),
      deleteUsersMeSubscriptionsBySubscriptionHandle: ({ params }) =>
        answer(Effect.flatMap(CurrentUser, (user) => subscriptions.remove(user.id, params.subscriptionHandle)))
    } satisfies Answers<"subscriptions">)
  })
)
