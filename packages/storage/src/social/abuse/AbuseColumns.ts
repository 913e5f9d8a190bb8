import { thumbnailsColumn } from "../../video/read/VideoRows.ts"

/** Tables of what a report `b` is about, and whose it is. */
export const abuseTables = `
  left join account r on r.id = b.reporter_account_id
  left join account f on f.id = b.flagged_account_id
  left join video v on v.id = b.video_id
  left join video_comment c on c.id = b.comment_id and c.deleted_at is null
  left join video cv on cv.id = c.video_id
  left join video_channel h on h.id = coalesce(v.channel_id, cv.channel_id, (b.target ->> 'channelId')::integer)`

/** The same, with what else lists are searched by. */
export const searchTables = `${abuseTables}
  left join actor ra on ra.id = r.actor_id left join server rs on rs.id = ra.server_id
  left join actor fa on fa.id = f.actor_id left join server fs on fs.id = fa.server_id
  left join actor ha on ha.id = h.actor_id`

const isBlacklisted = "exists (select from video_blacklist k where k.video_id = v.id)"

/** SQL of how many reports there are of the same thing, those alone that a condition on a report `n` holds for. */
const ofSameThing = (condition: string): string => `(
    select count(*) from abuse n where n.kind = b.kind and n.target ->> 'id' = b.target ->> 'id' and ${condition}
  )::integer`

/**
 * Columns of `AbuseRow`, of a report `b` with `abuseTables`.
 *
 * @param counted condition on a report `n`: which ones the reader is shown the number of
 */
const columns = (
  counted: string
): string => `b.id, b.kind, b.state, b.reason, b.predefined_reasons as reasons, b.target,
  b.moderation_comment as "moderationComment", b.start_at as "startAt", b.end_at as "endAt",
  b.shown_to_reporter as "isShown", wire_time(b.created_at) as "createdAt", wire_time(b.updated_at) as "updatedAt",
  wire_origin() as origin, r.actor_id as "reporterActorId", f.actor_id as "flaggedActorId", v.id as "videoId",
  v.name as "videoName", v.nsfw, ${isBlacklisted} as blacklisted,
  coalesce(
    v.account_id = b.reporter_account_id or v.privacy in (1, 2, 4) and v.state in (1, 4, 5) and not ${isBlacklisted}, false
  ) as "isOpen",
  ${thumbnailsColumn}, h.actor_id as "channelActorId", c.text as "commentText", cv.name as "commentVideoName",
  (select count(*) from abuse_message m where m.abuse_id = b.id)::integer as messages,
  ${ofSameThing(counted)} as "countReports", ${ofSameThing(`n.id <= b.id and ${counted}`)} as "nthReport",
  (select count(*) from abuse n where n.reporter_account_id = b.reporter_account_id)::integer as "countReportsForReporter",
  (select count(*) from abuse n where n.flagged_account_id = b.flagged_account_id)::integer as "countReportsForReportee"`

export const adminColumns = columns("true")
/** The reporter is shown the number of their own reports. */
export const reporterColumns = columns("n.reporter_account_id = b.reporter_account_id")
