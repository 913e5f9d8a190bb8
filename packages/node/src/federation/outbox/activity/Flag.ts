import { namesOfReasons } from "@kinora/domain/enums/AbuseReason"
import type { PublishedReport } from "@kinora/storage/federation/outbox/ReportPublications"
import { type ActivityDraft, lanes } from "../send/ActivityDraft.ts"

/**
 * A report of something elsewhere, for the moderators there. It names whose the thing is, since instances find the report's
 * way by that; it goes to the inbox of the instance.
 */
export const flagActivity = (uri: string, report: PublishedReport): ActivityDraft => ({
  type: "Flag",
  uri,
  object: report.objectUrl,
  content: report.reason,
  mediaType: "text/markdown",
  tag: namesOfReasons(report.reasons).map((name) => ({ type: "Hashtag", name })),
  ...(report.startAt === null ? {} : { startAt: report.startAt }),
  ...(report.endAt === null ? {} : { endAt: report.endAt }),
  audience: { to: [report.flaggedUrl], cc: [] },
  context: "Flag",
  lane: lanes.content,
  // Nothing else about the thing waits for it.
  thing: uri,
  recipients: { followersOf: [], inboxes: [report.inbox] }
})
