import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { NotificationEvent } from "@kinora/storage/social/notification/NotificationQueue"
import type { NotificationDraft } from "@kinora/storage/social/notification/NotificationWrites"
import { Effect, Schema } from "effect"

/** What follows from one step of an event. */
export interface Step {
  readonly drafts: ReadonlyArray<NotificationDraft>
  /** Where the next step begins; undefined: the event is done. */
  readonly nextPosition?: number
}

/** Decides what of an event is news, and for whom. Runs in the transaction that clears the event: statements alone. */
export type EventHandler = (event: NotificationEvent) => Effect.Effect<Step, DatabaseUnavailable>

/** Nobody is notified: it is no news, or not true any more. */
export const noNews: Step = { drafts: [] }

/** A notification for one user; none for `null`, an account of another instance. */
export const forUser = (userId: number | null, draft: Omit<NotificationDraft, "recipients">): Step =>
  userId === null ? noNews : { drafts: [{ ...draft, recipients: { _tag: "Users", userIds: [userId] } }] }

/** Reads the details of an event; what triggers write is known, so anything else is a defect. */
export const detailsOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (event: NotificationEvent): Effect.Effect<A> => Effect.orDie(decode(event.details))
}

/** The details of an event that says to which state something came. */
export const stateOf = <const States extends ReadonlyArray<number>>(states: States) => {
  const details = detailsOf(Schema.Struct({ state: Schema.Literals(states) }))
  return (event: NotificationEvent) => Effect.map(details(event), ({ state }) => state)
}
