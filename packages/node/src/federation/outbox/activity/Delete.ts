import type { Audience } from "@kinora/federation/activities/Audience"
import { type ActivityDraft, lanes, type Recipients } from "../send/ActivityDraft.ts"

/** Something of ours is gone, or gone for others. */
export const deleteActivity = (
  url: string,
  options: {
    /** Its id where it is not the first of its thing. */
    readonly uri?: string
    readonly audience?: Audience
    readonly recipients: Recipients
  }
): ActivityDraft => ({
  type: "Delete",
  uri: options.uri ?? `${url}/delete`,
  object: url,
  audience: options.audience ?? "public",
  lane: lanes.content,
  recipients: options.recipients
})
