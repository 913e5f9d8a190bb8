import { CollaboratorState } from "@kinora/domain/enums/CollaboratorState"
import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { PeopleEventRows } from "@kinora/storage/social/notification/PeopleEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews, stateOf } from "./EventHandler.ts"

const { accepted, pending, rejected } = CollaboratorState
const stateOfCollaboration = stateOf([pending, accepted, rejected])

const types = {
  [pending]: NotificationType.invitedToCollaborate,
  [accepted]: NotificationType.acceptedToCollaborate,
  [rejected]: NotificationType.refusedToCollaborate
} as const

/** Somebody was asked to work on a channel, and is notified; or has answered, and its owner is. */
export const collaborationChanged = Effect.gen(function* () {
  const people = yield* PeopleEventRows
  const handle: EventHandler = Effect.fn("collaborationChanged")(function* (event) {
    const state = yield* stateOfCollaboration(event)
    const parties = yield* people.collaboration(event.subject)
    // Not as it was: there is an event of that, too.
    if (parties?.state !== state) return noNews
    const { asked, asking } = parties
    const [by, recipient] = state === pending ? [asking, asked] : [asked, asking]
    const subject = { collaborator_id: event.subject }
    return forUser(recipient.userId, { type: types[state], by: by.accountId, subject })
  })
  return handle
})
