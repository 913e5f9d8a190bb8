import type { Json } from "@kinora/federation/vocabulary/Json"
import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"

/** A follow as both sides know it. */
export interface FollowNamed {
  /** Id of the Follow, given by who follows. */
  readonly url: string
  readonly followerUrl: string
  readonly targetUrl: string
}

/** A Follow within another activity. */
export const followObject = ({ followerUrl, targetUrl, url }: FollowNamed): { readonly [name: string]: Json } => ({
  type: "Follow",
  id: url,
  actor: followerUrl,
  object: targetUrl
})

/** What is said of a follow, and of later ones of the same two, keeps its order. */
export const followThing = ({ followerUrl, targetUrl }: FollowNamed): string => `${followerUrl} ${targetUrl}`

/** One of ours wants to follow an actor elsewhere. */
export const followActivity = (follow: FollowNamed, inbox: string): ActivityDraft => ({
  type: "Follow",
  uri: follow.url,
  object: follow.targetUrl,
  audience: "none",
  lane: lanes.follow,
  thing: followThing(follow),
  recipients: { followersOf: [], inboxes: [inbox] }
})
