import { type Audience, audienceOf } from "@kinora/federation/activities/Audience"
import type { ContextType } from "@kinora/federation/contexts/Contexts"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { type ActivityDraft, lanes, type Recipients } from "../send/ActivityDraft.ts"

/** Something new of ours, or something that others had lost. */
export const createActivity = (
  uri: string,
  options: {
    readonly object: JsonObject
    readonly context: ContextType
    /** By default that of the object. */
    readonly audience?: Audience | undefined
    readonly recipients: Recipients
  }
): ActivityDraft => ({
  type: "Create",
  uri,
  object: options.object,
  audience: options.audience ?? audienceOf(options.object) ?? "public",
  context: options.context,
  lane: lanes.content,
  recipients: options.recipients
})
