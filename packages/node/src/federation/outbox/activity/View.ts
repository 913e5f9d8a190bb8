import { type Audience, publicAudience } from "@kinora/federation/activities/Audience"
import { type ActivityDraft, lanes, type Recipients } from "../send/ActivityDraft.ts"

/** One view of a video elsewhere, as its instance counts it. */
export const viewActivity = (
  uri: string,
  video: { readonly url: string; readonly ownerUrl: string; readonly inbox: string }
): ActivityDraft => ({
  type: "View",
  uri,
  object: video.url,
  audience: publicAudience([video.ownerUrl]),
  context: "View",
  lane: lanes.view,
  recipients: { followersOf: [], inboxes: [video.inbox] }
})

/** That somebody watches a video until a time: one viewer, or how many. Nothing else about the video waits for it. */
export const viewersActivity = (
  uri: string,
  options: {
    readonly videoUrl: string
    readonly expires: string
    readonly viewers?: number
    readonly audience: Audience
    readonly recipients: Recipients
  }
): ActivityDraft => ({
  type: "View",
  uri,
  object: options.videoUrl,
  audience: options.audience,
  expires: options.expires,
  ...(options.viewers === undefined
    ? {}
    : {
        result: {
          type: "InteractionCounter",
          interactionType: "WatchAction",
          userInteractionCount: options.viewers
        } as const
      }),
  context: "View",
  lane: lanes.view,
  thing: uri,
  recipients: options.recipients
})
