import { FollowParties } from "@kinora/storage/federation/outbox/FollowParties"
import { DateTime, Effect, Schema } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { acceptActivity } from "../activity/Accept.ts"
import { followActivity } from "../activity/Follow.ts"
import { rejectActivity } from "../activity/Reject.ts"
import { undoFollowActivity } from "../activity/UndoFollow.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"

const details = detailsOf(
  Schema.Struct({
    after: Schema.Struct({
      state: Schema.Literals(["pending", "accepted", "rejected", "ended"]),
      url: Schema.String,
      followId: Schema.Int
    })
  })
)

/** Follows: one of ours asks or ends, or one of others is decided. Each change is sent, since the other side keeps count. */
export const followChanges = Effect.gen(function* () {
  const parties = yield* FollowParties
  const sender = yield* ActivitySender
  const { origin } = (yield* KinoraConfig).derived

  const handle: ChangeHandler = Effect.fn("followChanges")(function* (change) {
    const { followId, state, url } = (yield* details(change)).after
    const found = yield* parties.of(change.byId, change.thingId)
    // Who is gone has said so.
    if (found === undefined || found.follower.isRemote === found.target.isRemote) return
    const { follower, target } = found
    const named = { url, followerUrl: follower.url, targetUrl: target.url }
    switch (state) {
      case "pending":
        return yield* sender.send(follower.id, followActivity(named, target.inboxUrl))
      case "ended":
        return yield* sender.send(follower.id, undoFollowActivity(named, target.inboxUrl))
      case "accepted": {
        const uri = `${origin}/accepts/follows/${followId}`
        return yield* sender.send(target.id, acceptActivity(uri, named, follower.inboxUrl))
      }
      case "rejected": {
        const now = DateTime.formatIso(yield* DateTime.now)
        const uri = `${origin}/rejects/follows/${now}#${followId}`
        return yield* sender.send(target.id, rejectActivity(uri, named, follower.inboxUrl))
      }
    }
  })
  return handle
})
