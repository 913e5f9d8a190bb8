import { type Audience, audienceOf } from "@kinora/federation/activities/Audience"
import type { ContextType } from "@kinora/federation/contexts/Contexts"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { DateTime } from "effect"
import { type ActivityDraft, lanes, type Recipients } from "../send/ActivityDraft.ts"

/** Something of ours changed. `now` is part of the id: there is one for each change. */
export const updateActivity = (
  url: string,
  options: {
    readonly now: DateTime.Utc
    readonly object: JsonObject
    readonly context: ContextType
    /** By default that of the object. */
    readonly audience?: Audience | undefined
    readonly recipients: Recipients
  }
): ActivityDraft => ({
  type: "Update",
  uri: `${url}/updates/${DateTime.formatIso(options.now)}`,
  object: options.object,
  audience: options.audience ?? audienceOf(options.object) ?? "public",
  context: options.context,
  lane: lanes.content,
  recipients: options.recipients
})
