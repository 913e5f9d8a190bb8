import { publicAudience } from "@kinora/federation/activities/Audience"
import { cacheFile } from "@kinora/federation/activities/CacheFile"
import type { OutgoingActivity } from "@kinora/federation/activities/OutgoingActivity"
import type { AnnounceRow, ApprovalRow, RateRow } from "@kinora/storage/federation/activitypub/rows/ActivityRows"
import type { CacheFileRow } from "@kinora/storage/federation/activitypub/rows/VideoPartRows"
import { approvalUrl } from "./Note.ts"

const rateTypes = { like: "Like", dislike: "Dislike" } as const

/** A rating as it is read at its address. */
export const rateDocument = ({ actorUrl, type, url, videoUrl }: RateRow): OutgoingActivity => ({
  type: rateTypes[type],
  id: url,
  actor: actorUrl,
  object: videoUrl,
  ...publicAudience([], [`${actorUrl}/followers`])
})

/** An Announce of a video by its channel or the instance, as it is read at its address. */
export const announceDocument = ({ actorId, actorUrl, ownerUrl, videoUrl }: AnnounceRow): OutgoingActivity => ({
  type: "Announce",
  id: `${videoUrl}/announces/${actorId}`,
  actor: actorUrl,
  object: videoUrl,
  ...publicAudience([`${actorUrl}/followers`, `${ownerUrl}/followers`])
})

/** That a comment may stand below a video, as it is read at its address. */
export const approvalDocument = (
  { actorUrl, commentId, commentUrl, inReplyTo, videoUuid }: ApprovalRow,
  origin: string
): OutgoingActivity => ({
  type: "ApproveReply",
  id: approvalUrl(videoUuid, commentId, origin),
  actor: actorUrl,
  object: commentUrl,
  inReplyTo
})

/** A copy that this instance serves, as it is read at its address. */
export const cacheFileDocument = ({ baseUrl, expiresAt, url, videoUrl }: CacheFileRow) =>
  cacheFile({ url, videoUrl, baseUrl, expires: expiresAt?.toISOString() ?? null })
