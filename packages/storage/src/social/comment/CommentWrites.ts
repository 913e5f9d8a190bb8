import { CommentsPolicy } from "@kinora/domain/enums/CommentsPolicy"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** What came of writing a comment; all but the first two say why there is none. */
export type WriteOutcome =
  | "written"
  | "held"
  | "no account"
  | "no video"
  | "disabled"
  | "no comment"
  | "other video"
  | "parent deleted"
  | "parent held"

export interface NewComment {
  readonly videoId: number
  readonly accountId: number
  /** The comment that is replied to; undefined begins a thread. */
  readonly inReplyTo?: number | undefined
  readonly text: string
  /** Its author's comments never wait for review. */
  readonly trusted: boolean
}

/** Its row, where there is one. */
export interface Written {
  readonly outcome: WriteOutcome
  readonly id: number | null
}

interface Target {
  readonly uuid: string
  readonly policy: number
}

interface Parent {
  readonly id: number
  readonly videoId: number
  /** The first of its thread, itself where it is that. */
  readonly originId: number
  readonly deleted: boolean
  readonly held: boolean
}

/** Why a comment is refused by its video and by what it replies to; whether it waits for review where it is not. */
const outcomeOf = (
  { inReplyTo, trusted, videoId }: NewComment,
  target: Target | undefined,
  parent: Parent | undefined
): WriteOutcome => {
  if (target === undefined) return "no video"
  if (target.policy === CommentsPolicy.disabled) return "disabled"
  if (inReplyTo !== undefined) {
    if (parent === undefined) return "no comment"
    if (parent.videoId !== videoId) return "other video"
    if (parent.deleted) return "parent deleted"
    if (parent.held) return "parent held"
  }
  return target.policy === CommentsPolicy.requiresApproval && !trusted ? "held" : "written"
}

/**
 * Writes comments of accounts of this instance, in the caller's transaction. Whatever writes comments or ratings locks the
 * account, then the video.
 */
export const commentWrites = (sql: SqlClient) => {
  const hasAccount = Effect.fnUntraced(function* (accountId: number) {
    const rows = yield* sql`select 1 from account where id = ${accountId}`
    return rows.length > 0
  })

  /** The condition is a row that PostgreSQL reads, and locks, before it looks for the video. */
  const lock = Effect.fnUntraced(function* ({ accountId, videoId }: NewComment) {
    const [video] = yield* sql<Target>`
      with author as materialized (select 1 from account where id = ${accountId} for key share)
      select uuid, comments_policy as policy from video
      where id = ${videoId} and exists (select from author) for no key update`
    return video
  })

  const parentOf = Effect.fnUntraced(function* (commentId: number) {
    const [parent] = yield* sql<Parent>`
      select id, video_id as "videoId", coalesce(origin_comment_id, id) as "originId", deleted_at is not null as deleted,
        held_for_review as held
      from video_comment where id = ${commentId}`
    return parent
  })

  /** With the counts of those above it and of its video, where everybody sees it. */
  const write = Effect.fnUntraced(function* (
    { accountId, text, videoId }: NewComment,
    target: Target,
    parent: Parent | undefined,
    held: boolean
  ) {
    const [parentId, originId] = [parent?.id ?? null, parent?.originId ?? null]
    const [made] = yield* sql<{ id: number }>`
      with next as (
        select nextval(pg_get_serial_sequence('video_comment', 'id'))::integer as id
      ), above as (
        update video_comment set children = children + (id = ${parentId}::integer)::integer,
          replies = replies + (id = ${originId}::integer)::integer
        where not ${held}::boolean and id in (${parentId}::integer, ${originId}::integer)
      ), counted as (
        update video set comments = comments + 1 where not ${held}::boolean and id = ${videoId}
      )
      insert into video_comment
        (id, url, video_id, account_id, origin_comment_id, in_reply_to_comment_id, text, held_for_review, shown)
      select id, wire_origin() || ${`/videos/watch/${target.uuid}/comments/`} || id, ${videoId}::integer,
        ${accountId}::integer, ${originId}::integer, ${parentId}::integer, ${text}::text, ${held}::boolean, not ${held}::boolean
      from next returning id`
    return made!.id
  })

  const add = Effect.fnUntraced(function* (comment: NewComment): Effect.fn.Return<Written, SqlError> {
    const refused = (outcome: WriteOutcome): Written => ({ outcome, id: null })
    const target = yield* lock(comment)
    if (target === undefined && !(yield* hasAccount(comment.accountId))) return refused("no account")
    const parent = comment.inReplyTo === undefined ? undefined : yield* parentOf(comment.inReplyTo)
    const outcome = outcomeOf(comment, target, parent)
    if (target === undefined || (outcome !== "written" && outcome !== "held")) return refused(outcome)
    return { outcome, id: yield* write(comment, target, parent, outcome === "held") }
  })

  return { add }
}
