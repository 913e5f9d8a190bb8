import type { Notification } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"
import { type VideoColumns, videoInfo } from "./VideoSubjects.ts"

export interface AbuseColumns {
  readonly abuseId: number | null
  readonly abuseState: number
  readonly abuseOfVideo: boolean
  /** Name of the video, or of that of the comment, when it was reported. */
  readonly abuseVideoName: string
  readonly abuseCommentId: number | null
  readonly abuseThreadId: number
  /** Where an account was reported, or a channel of it. */
  readonly abuseActorId: number | null
  /** Nothing of the reported thing is shown: the notification may be the reporter's, who is not to be shown it. */
  readonly abuseIsClosed: boolean
}

export const abuseColumns = `x.id as "abuseId", x.state as "abuseState", x.video_id is not null as "abuseOfVideo",
  x.target ->> 'name' as "abuseVideoName", n.type <> 3 and not x.shown_to_reporter as "abuseIsClosed",
  xc.id as "abuseCommentId", coalesce(xc.origin_comment_id, xc.id) as "abuseThreadId", xa.actor_id as "abuseActorId"`

export const abuseJoins = `
  left join abuse x on x.id = n.abuse_id
  left join video_comment xc on xc.id = x.comment_id and xc.deleted_at is null
  left join account xa on xa.id = x.flagged_account_id and x.kind = 'account'`

/** A report, with what it is about as long as that is there. */
export const abuseSubject = (row: AbuseColumns & VideoColumns, actors: Actors): Pick<Notification, "abuse"> => {
  if (row.abuseId === null) return {}
  const about = { id: row.abuseId, state: row.abuseState }
  if (row.abuseIsClosed) return { abuse: about }
  const found = videoInfo(row)
  // The reporter may not be meant to read what it is called by now.
  const video = found && { ...found, name: row.abuseVideoName }
  const account = actors.get(row.abuseActorId)
  return {
    abuse: {
      ...about,
      ...(video !== undefined && row.abuseOfVideo ? { video } : {}),
      ...(video !== undefined && row.abuseCommentId !== null
        ? { comment: { id: row.abuseCommentId, threadId: row.abuseThreadId, video } }
        : {}),
      ...(account === undefined ? {} : { account: actorSummary(account) })
    }
  }
}
