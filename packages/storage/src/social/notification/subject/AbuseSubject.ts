import type { Notification } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"
import { type VideoColumns, videoInfo } from "./VideoSubjects.ts"

export interface AbuseColumns {
  readonly abuseId: number | null
  readonly abuseState: number
  readonly abuseOfVideo: boolean
  readonly abuseCommentId: number | null
  readonly abuseThreadId: number
  /** Where an account was reported, or a channel of it. */
  readonly abuseActorId: number | null
}

export const abuseColumns = `x.id as "abuseId", x.state as "abuseState", x.video_id is not null as "abuseOfVideo",
  xc.id as "abuseCommentId", coalesce(xc.origin_comment_id, xc.id) as "abuseThreadId", xa.actor_id as "abuseActorId"`

export const abuseJoins = `
  left join abuse x on x.id = n.abuse_id
  left join video_comment xc on xc.id = x.comment_id and xc.deleted_at is null
  left join account xa on xa.id = x.flagged_account_id and x.kind = 'account'`

/** A report, with what it is about as long as that is there. */
export const abuseSubject = (row: AbuseColumns & VideoColumns, actors: Actors): Pick<Notification, "abuse"> => {
  if (row.abuseId === null) return {}
  const video = videoInfo(row)
  const account = actors.get(row.abuseActorId)
  return {
    abuse: {
      id: row.abuseId,
      state: row.abuseState,
      ...(video !== undefined && row.abuseOfVideo ? { video } : {}),
      ...(video !== undefined && row.abuseCommentId !== null
        ? { comment: { id: row.abuseCommentId, threadId: row.abuseThreadId, video } }
        : {}),
      ...(account === undefined ? {} : { account: actorSummary(account) })
    }
  }
}
