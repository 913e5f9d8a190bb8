import { toInstanceFollowPage } from "@kinora/domain/requests/FollowRequests"
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
    return handlers.handleAll({
      getServerFollowers: ({ query }) => answer(Effect.map(lists.followers(toInstanceFollowPage(query)), jsonText)),
      deleteServerFollowersByHandle: ({ params }) => answer(follows.removeFollower(params.handle)),
      postServerFollowersReject: ({ params }) => answer(follows.reject(params.handle)),
      postServerFollowersAccept: ({ params }) => answer(follows.accept(params.handle)),
      getServerFollowing: ({ query }) => answer(Effect.map(lists.following(toInstanceFollowPage(query)), jsonText)),
      postServerFollowing: ({ payload }) => answer(followings.begin(payload)),
      deleteServerFollowingByHostOrHandle: ({ params }) => answer(follows.unfollow(params.hostOrHandle))
    } satisfies Answers<"follows">)
  })
)
