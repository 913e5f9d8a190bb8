import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { PeopleEventRows } from "@kinora/storage/social/notification/PeopleEventRows"
import { Effect } from "effect"
import { type EventHandler, noNews } from "./EventHandler.ts"
import { moderators } from "./Moderators.ts"

/** Somebody asks for an account, and nobody has answered yet. */
export const registrationRequested = Effect.gen(function* () {
  const people = yield* PeopleEventRows
  const handle: EventHandler = Effect.fn("registrationRequested")(function* ({ subject }) {
    if (!(yield* people.isPending(subject))) return noNews
    const type = NotificationType.newUserRegistrationRequest
    return { drafts: [{ type, by: null, subject: { registration_id: subject }, recipients: moderators }] }
  })
  return handle
})

/** Somebody made themselves an account. */
export const userRegistered = Effect.gen(function* () {
  const people = yield* PeopleEventRows
  const handle: EventHandler = Effect.fn("userRegistered")(function* ({ subject }) {
    const accountId = yield* people.accountOf(subject)
    if (accountId === undefined) return noNews
    const type = NotificationType.newUserRegistration
    return { drafts: [{ type, by: accountId, subject: {}, recipients: moderators }] }
  })
  return handle
})
