import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { toInstanceFollowPage } from "@kinora/domain/requests/FollowRequests"
import { CurrentUser, type CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { InstanceFollowLists } from "@kinora/storage/federation/follow/InstanceFollowLists"
import { Effect } from "effect"
import { type Answers, answer, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Follows } from "./Follows.ts"
import { NewFollowings } from "./NewFollowings.ts"

/** Whom the instance follows, and who follows it. */
export const layer = apiGroup(
  "follows",
  Effect.fnUntraced(function* (handlers) {
    const follows = yield* Follows
    const lists = yield* InstanceFollowLists
    const followings = yield* NewFollowings
    const asked = <E extends ProblemError>(act: (user: CurrentUserShape) => Effect.Effect<void, E>) =>
      answer(Effect.flatMap(CurrentUser, act))

    return handlers.handleAll({
      getServerFollowers: ({ query }) => answer(Effect.map(lists.followers(toInstanceFollowPage(query)), jsonText)),
      deleteServerFollowersByHandle: ({ params }) => asked((user) => follows.removeFollower(user, params.handle)),
      postServerFollowersReject: ({ params }) => asked((user) => follows.reject(user, params.handle)),
      postServerFollowersAccept: ({ params }) => asked((user) => follows.accept(user, params.handle)),
      getServerFollowing: ({ query }) => answer(Effect.map(lists.following(toInstanceFollowPage(query)), jsonText)),
      postServerFollowing: ({ payload }) => asked((user) => followings.begin(user, payload)),
      deleteServerFollowingByHostOrHandle: ({ params }) => asked((user) => follows.unfollow(user, params.hostOrHandle))
    } satisfies Answers<"follows">)
  })
)
