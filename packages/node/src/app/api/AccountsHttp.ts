import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { FollowLists } from "@kinora/storage/federation/follow/FollowLists"
import { RatingLists } from "@kinora/storage/social/rating/RatingLists"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { Effect, Option } from "effect"
import { scopedVideos } from "../../video/list/ScopedVideos.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"

/** Accounts, and what belongs to each. */
export const layer = apiGroup(
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const actors = yield* Actors
    const accounts = yield* KnownAccounts
    const lists = yield* AccountLists
    const follows = yield* FollowLists
    const ratings = yield* RatingLists
    const videos = yield* scopedVideos

    return handlers.handleAll({
      getAccounts: ({ query }) => answer(Effect.map(lists.all(toListPage(query)), jsonText)),
      getAccount: ({ params }) =>
        answer(
          Effect.gen(function* () {
            const account = yield* actors.account(params.name)
            return Option.isNone(account) ? yield* new AccountNotFound() : jsonText(account.value.json)
          })
        ),
      getAccountVideos: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.find(params.name)
            return yield* videos(toVideoListQuery(query), params.name, { _tag: "Account", accountId })
          })
        ),
      getAccountFollowers: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.open(params.name, "followers")
            return jsonText(yield* follows.followers({ accountId }, toListPage(query)))
          })
        ),
      getAccountFollowing: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.find(params.name)
            return jsonText(yield* follows.following(accountId, toListPage(query)))
          })
        ),
      getAccountsRatings: ({ params, query }) =>
        answer(
          Effect.gen(function* () {
            const accountId = yield* accounts.open(params.name, "ratings")
            return jsonText(yield* ratings.ofAccount(accountId, query.rating, toListPage(query)))
          })
        )
    } satisfies Answers<"accounts">)
  })
)
