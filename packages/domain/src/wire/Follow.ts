import { Schema } from "effect"
import { actorFields } from "./Account.ts"
import { Page, Timestamp } from "./Scalars.ts"

/** Either side of a follow: an account or a channel, by the row id of its actor (contract: Actor). */
export const FollowActor = Schema.Struct(actorFields).annotate({ identifier: "Actor" })
export type FollowActor = typeof FollowActor.Type

/** Who follows whom (contract: Follow). */
export const Follow = Schema.Struct({
  id: Schema.Int,
  follower: FollowActor,
  following: FollowActor,
  score: Schema.Int,
  state: Schema.Literals(["pending", "accepted"]),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Follow" })
export type Follow = typeof Follow.Type

export const FollowList = Page(Follow)
