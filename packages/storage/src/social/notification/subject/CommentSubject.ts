import type { Notification } from "@kinora/domain/wire/Notification"
import { actorSummary } from "../../../people/actor/ActorJson.ts"
import type { Actors } from "./Actors.ts"
import { type VideoColumns, videoInfo } from "./VideoSubjects.ts"

export interface CommentColumns {
  readonly commentId: number | null
  readonly threadId: number
  readonly heldForReview: boolean
  readonly commentActorId: number | null
}

export const commentColumns = `c.id as "commentId", coalesce(c.origin_comment_id, c.id) as "threadId",
  c.held_for_review as "heldForReview", ca.actor_id as "commentActorId"`

export const commentJoins = `
  left join video_comment c on c.id = n.comment_id and c.deleted_at is null
  left join account ca on ca.id = c.account_id`

/** A comment that is not deleted. */
export const commentSubject = (row: CommentColumns & VideoColumns, actors: Actors): Pick<Notification, "comment"> => {
  const account = actors.get(row.commentActorId)
  const video = videoInfo(row)
  if (row.commentId === null || account === undefined || video === undefined) return {}
  const { commentId: id, heldForReview, threadId } = row
  return { comment: { id, threadId, heldForReview, video, account: actorSummary(account) } }
}
