import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { PeopleEventRows } from "@kinora/storage/social/notification/PeopleEventRows"
import { Effect } from "effect"
import { type EventHandler, noNews } from "./EventHandler.ts"
import { moderators } from "./Moderators.ts"

/** Something was reported, and nobody has decided on it yet. */
export const newAbuse = Effect.gen(function* () {
  const people = yield* PeopleEventRows
  const handle: EventHandler = Effect.fn("newAbuse")(function* ({ subject }) {
    const report = yield* people.pendingReport(subject)
    if (report === undefined) return noNews
    const type = NotificationType.newAbuseForModerators
    return { drafts: [{ type, by: report.reporterId, subject: { abuse_id: subject }, recipients: moderators }] }
  })
  return handle
})
