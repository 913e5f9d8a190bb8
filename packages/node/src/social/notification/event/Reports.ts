import { AbuseState } from "@kinora/domain/enums/AbuseState"
import { NotificationType } from "@kinora/domain/enums/NotificationType"
import { AbuseEventRows } from "@kinora/storage/social/notification/AbuseEventRows"
import { Effect } from "effect"
import { type EventHandler, forUser, noNews, stateOf } from "./EventHandler.ts"
import { moderatorsBut } from "./Moderators.ts"

/** Something was reported, and nobody has decided on it yet. A moderator is not notified of reports about themselves. */
export const newAbuse = Effect.gen(function* () {
  const reports = yield* AbuseEventRows
  const handle: EventHandler = Effect.fn("newAbuse")(function* ({ subject }) {
    const report = yield* reports.report(subject)
    if (report?.state !== AbuseState.pending) return noNews
    const type = NotificationType.newAbuseForModerators
    const recipients = moderatorsBut(report.flaggedModeratorId)
    return { drafts: [{ type, by: report.reporterId, subject: { abuse_id: subject }, recipients }] }
  })
  return handle
})

const decided = stateOf([AbuseState.pending, AbuseState.rejected, AbuseState.accepted])

/** Moderators decided on a report: its reporter is notified. Who decided is for moderators to know. */
export const abuseStateChanged = Effect.gen(function* () {
  const reports = yield* AbuseEventRows
  const handle: EventHandler = Effect.fn("abuseStateChanged")(function* (event) {
    const state = yield* decided(event)
    const report = yield* reports.report(event.subject)
    if (report?.state !== state || state === AbuseState.pending) return noNews
    const type = NotificationType.abuseStateChange
    return forUser(report.reporterUserId, { type, by: null, subject: { abuse_id: event.subject } })
  })
  return handle
})

/** Somebody wrote about a report: a moderator to the reporter, or the reporter to the moderators. */
export const newAbuseMessage = Effect.gen(function* () {
  const reports = yield* AbuseEventRows
  const handle: EventHandler = Effect.fn("newAbuseMessage")(function* ({ subject }) {
    const message = yield* reports.message(subject)
    if (message === undefined) return noNews
    const { abuseId, authorId, authorUserId, byModerator, flaggedModeratorId, reporterUserId } = message
    const type = NotificationType.abuseNewMessage
    const about = { abuse_id: abuseId, abuse_message_id: subject }
    if (byModerator) return forUser(reporterUserId, { type, by: null, subject: about })
    const recipients = moderatorsBut(authorUserId, flaggedModeratorId)
    return { drafts: [{ type, by: authorId, subject: about, recipients }] }
  })
  return handle
})
