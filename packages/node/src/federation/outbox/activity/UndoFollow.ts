import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"
import { type FollowNamed, followObject, followThing } from "./Follow.ts"

/** One of ours follows an actor elsewhere no longer. */
export const undoFollowActivity = (follow: FollowNamed, inbox: string): ActivityDraft => ({
  type: "Undo",
  uri: `${follow.url}/undo`,
  object: followObject(follow),
  audience: "none",
  lane: lanes.follow,
  thing: followThing(follow),
  recipients: { followersOf: [], inboxes: [inbox] }
})
