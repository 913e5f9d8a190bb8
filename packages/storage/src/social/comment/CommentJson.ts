import type { CommentThreads, ManagedComment, VideoComment } from "@kinora/domain/wire/Comment"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { actorTexts } from "../../people/actor/ActorTexts.ts"

/** What every form of a comment shows, as `commentColumns` reads it. Times are ISO 8601. */
export interface CommentRow {
  readonly id: number
  readonly url: string
  readonly text: string
  readonly threadId: number
  readonly inReplyToCommentId: number | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly heldForReview: boolean
  /** Actor of the author; null once the comment was deleted. */
  readonly authorActorId: number | null
}

/** The author of a comment and their text; null: it is made when it is needed. */
export interface Authored extends Pick<CommentRow, "authorActorId"> {
  readonly authorText: string | null
}

/** A comment with its author. */
export interface AuthoredRow extends CommentRow, Authored {}

/** What a comment shows below its video, as `threadColumns` reads it. */
export interface ThreadColumns {
  readonly videoId: number
  readonly deletedAt: string | null
  /** Replies in the thread that the video's owner wrote. */
  readonly repliesOfOwner: number
  /** Replies in the thread. */
  readonly replies: number
}

/** Columns of `CommentRow`, of a comment `c` with `authorTables`. */
export const commentColumns = `c.id, c.url, c.text, coalesce(c.origin_comment_id, c.id) as "threadId",
  c.in_reply_to_comment_id as "inReplyToCommentId", wire_time(c.created_at) as "createdAt",
  wire_time(c.updated_at) as "updatedAt", c.held_for_review as "heldForReview", ca.actor_id as "authorActorId"`

/** Column of `AuthoredRow`. */
export const authorColumn = `cw.text as "authorText"`

/** Tables of the author of a comment `c`. */
export const authorTables = `left join account ca on ca.id = c.account_id left join actor_read_model cw on cw.actor_id = ca.actor_id`

/** Columns of `ThreadColumns`, of a comment `c`. Both are SQL of numbers. */
export const threadColumns = (replies: string, repliesOfOwner: string): string =>
  `c.video_id as "videoId", wire_time(c.deleted_at) as "deletedAt", (${repliesOfOwner})::integer as "repliesOfOwner",
  (${replies})::integer as replies`

/** SQL of how many replies the owner of a video wrote in the thread of a comment `c`. */
export const repliesOf = (owner: string): string =>
  `case when c.replies = 0 then 0 else (
    select count(*) from video_comment r
    where r.origin_comment_id = c.id and r.account_id = ${owner} and r.shown
  ) end`

type Basics = Omit<typeof ManagedComment.Encoded, "account" | "video" | "automaticTags">
type Rest = Omit<typeof VideoComment.Encoded, "account" | keyof Basics>

const basics = (row: CommentRow): Basics => ({
  id: row.id,
  url: row.url,
  text: row.text,
  threadId: row.threadId,
  inReplyToCommentId: row.inReplyToCommentId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  heldForReview: row.heldForReview
})

const rest = (row: ThreadColumns): Rest => ({
  videoId: row.videoId,
  deletedAt: row.deletedAt,
  isDeleted: row.deletedAt !== null,
  totalRepliesFromVideoAuthor: row.repliesOfOwner,
  totalReplies: row.replies
})

/** What stands before the text of the author, in every form of a comment. */
export const commentHead = (row: CommentRow): string => `${JSON.stringify(basics(row)).slice(0, -1)},"account":`

/** More members and the end of an object, behind others. */
export const closing = (members: object): string => `,${JSON.stringify(members).slice(1)}`

/** What stands after the author of a comment below its video. */
export const commentTail = (row: ThreadColumns): string => closing(rest(row))

/** The text of the author of each comment, in order; "null" of those that were deleted. */
export const authorTexts = Effect.fnUntraced(function* (sql: SqlClient, rows: ReadonlyArray<Authored>) {
  const known = rows.flatMap(({ authorActorId, authorText }) =>
    authorActorId === null ? [] : [{ actorId: authorActorId, text: authorText }]
  )
  const texts = (yield* actorTexts(sql, known)).values()
  return rows.map(({ authorActorId }) => (authorActorId === null ? "null" : (texts.next().value ?? "null")))
})

/** Each comment as JSON text, in order. */
export const commentTexts = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<AuthoredRow & ThreadColumns>
) {
  const authors = yield* authorTexts(sql, rows)
  return rows.map((row, n): Json<VideoComment> => jsonOf(`${commentHead(row)}${authors[n]}${commentTail(row)}`))
})

/** A page of threads; its items are joined JSON text. */
export const threadsText = (total: number, comments: number, items: string): Json<CommentThreads> =>
  jsonOf(`{"total":${total},"totalNotDeletedComments":${comments},"data":[${items}]}`)
