import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"
import { type FollowNamed, followObject, followThing } from "./Follow.ts"

/** One of ours lets a follower in. */
export const acceptActivity = (uri: string, follow: FollowNamed, inbox: string): ActivityDraft => ({
  type: "Accept",
  uri,
  object: followObject(follow),
  audience: "none",
  lane: lanes.follow,
  thing: followThing(follow),
  recipients: { followersOf: [], inboxes: [inbox] }
})
