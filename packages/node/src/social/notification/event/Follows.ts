import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { FollowEventRows } from "@kinora/storage/social/notification/FollowEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews } from "./EventHandler.ts"
import { administrators } from "./Moderators.ts"

/** A follow was accepted: whoever is followed is notified, but not of following a channel of their own. */
export const newFollow = Effect.gen(function* () {
  const follows = yield* FollowEventRows
  const handle: EventHandler = Effect.fn("newFollow")(function* ({ subject }) {
    const follow = yield* follows.follow(subject)
    if (follow?.state !== "accepted" || follow.followerAccountId === follow.followedAccountId) return noNews
    return forUser(follow.followedUserId, {
      type: NotificationType.newFollow,
      by: follow.followerAccountId,
      subject: { follow_id: subject }
    })
  })
  return handle
})

/** Somebody follows the instance, or asks to: administrators alone can act on it. */
export const newInstanceFollower = Effect.gen(function* () {
  const follows = yield* FollowEventRows
  const handle: EventHandler = Effect.fn("newInstanceFollower")(function* ({ subject }) {
    const follow = yield* follows.instanceFollow(subject)
    if (follow === undefined || follow.state === "rejected") return noNews
    return {
      drafts: [
        {
          type: NotificationType.newInstanceFollower,
          by: follow.followerAccountId,
          subject: { follow_id: subject },
          recipients: administrators
        }
      ]
    }
  })
  return handle
})

/** The instance follows back whoever followed it. */
export const autoInstanceFollowing = Effect.gen(function* () {
  const follows = yield* FollowEventRows
  const handle: EventHandler = Effect.fn("autoInstanceFollowing")(function* ({ subject }) {
    const follow = yield* follows.instanceFollow(subject)
    if (follow === undefined || follow.state === "rejected") return noNews
    return {
      drafts: [
        {
          type: NotificationType.autoInstanceFollowing,
          by: null,
          subject: { follow_id: subject },
          recipients: administrators
        }
      ]
    }
  })
  return handle
})
