import { hasRight } from "@kinora/domain/enums/UserRight"
import { Forbidden, UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import { AccountLists } from "@kinora/storage/people/account/AccountLists"
import { FollowLists } from "@kinora/storage/federation/follow/FollowLists"
import { RatingLists } from "@kinora/storage/social/rating/RatingLists"
import { Actors } from "@kinora/storage/people/actor/Actors"
import { Effect, Option } from "effect"
import { scopedVideos } from "../../video/list/ScopedVideos.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { KnownAccounts } from "../../people/account/KnownAccounts.ts"

/** Accounts, and what belongs to each. */
export const layer = apiGroup(
  "accounts",
  Effect.fnUntraced(function* (handlers) {
    const { public_list } = (yield* KinoraConfig).accounts
    /** An instance may keep the names of all who have an account to those who look after it. */
    const mayList = Effect.gen(function* () {
      if (public_list) return
      const { user } = yield* Viewer
      if (Option.isNone(user)) return yield* new UnauthorizedRequest()
      if (hasRight(user.value.role, "MANAGE_USERS")) return
      return yield* new Forbidden({ reason: "Only moderators may list the accounts of this instance" })
    })
    const actors = yield* Actors
    const accounts = yield* KnownAccounts
    const lists = yield* AccountLists
    const follows = yield* FollowLists
    const ratings = yield* RatingLists
    const videos = yield* scopedVideos

    return handlers.handleAll({
      getAccounts: ({ query }) =>
        answer(
          Effect.gen(function* () {
            yield* mayList
            return jsonText(yield* lists.all(toListPage(query)))
          })
        ),
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
