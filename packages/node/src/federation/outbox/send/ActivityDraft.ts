import type { Audience } from "@kinora/federation/activities/Audience"
import type { ActivityDetails, OutgoingActivity } from "@kinora/federation/activities/OutgoingActivity"
import type { ContextType } from "@kinora/federation/contexts/Contexts"

/** To whom an activity is delivered, each inbox once. */
export interface Recipients {
  /** Followers elsewhere of these actors. */
  readonly followersOf: ReadonlyArray<number>
  readonly inboxes: ReadonlyArray<string>
  /** A host that gets nothing. */
  readonly besides?: string | undefined
}

/** What is sent first: follows and their answers, content, ratings, views. */
export const lanes = { follow: 0, content: 1, rating: 2, view: 3 } as const

/** An activity before it is known who signs it, and under which id. */
export interface ActivityDraft extends Pick<OutgoingActivity, "type" | "object">, ActivityDetails {
  /** Its id, unless an activity has had it lately. */
  readonly uri: string
  /** `public`: everybody and the followers of who sends it; `none`: it is addressed to nobody. */
  readonly audience: Audience | "public" | "none"
  /** Terms it needs beyond those of every activity. */
  readonly context?: ContextType
  readonly lane: (typeof lanes)[keyof typeof lanes]
  /** What it is about, by which activities are kept in order: the object, unless it says otherwise. */
  readonly thing?: string
  readonly recipients: Recipients
}
