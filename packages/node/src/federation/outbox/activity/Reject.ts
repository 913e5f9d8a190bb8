import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"
import { type FollowNamed, followObject, followThing } from "./Follow.ts"

/** One of ours does not let a follower in, or no longer. */
export const rejectActivity = (uri: string, follow: FollowNamed, inbox: string): ActivityDraft => ({
  type: "Reject",
  uri,
  object: followObject(follow),
  audience: "none",
  lane: lanes.follow,
  thing: followThing(follow),
  recipients: { followersOf: [], inboxes: [inbox] }
})
