/** The columns of a comment `c` that its wire form is made of, and the account that wrote it. */
export interface CommentSources {
  /** A row of `video_comment`. */
  readonly comment: string
  /** Replies in the thread, a number. */
  readonly replies: string
  /** Those of them that the video's owner wrote, a number. */
  readonly byOwner: string
}

/** Tables that `account` and `actor_wire` of a comment come of. */
export const authorTables = (comment: string): string =>
  `left join account ca on ca.id = ${comment}.account_id left join actor_wire cw on cw.actor_id = ca.actor_id`

const author = `coalesce(cw.wire, wire_account(ca.id), 'null')`

/** SQL of what stands before the author of a comment. */
export const commentHead = (c: string): string =>
  `'{"id":' || ${c}.id || ',"url":' || to_json(${c}.url) || ',"text":' || to_json(${c}.text)
    || ',"threadId":' || coalesce(${c}.origin_comment_id, ${c}.id)
    || ',"inReplyToCommentId":' || coalesce(${c}.in_reply_to_comment_id::text, 'null')
    || ',"createdAt":"' || wire_time(${c}.created_at) || '","updatedAt":"' || wire_time(${c}.updated_at)
    || '","heldForReview":' || ${c}.held_for_review || ',"account":'`

/** What every form of a comment begins with. */
export const commentBasics = (c: string): string => `${commentHead(c)} || ${author}`

/** SQL of what stands after the author of a comment. */
export const commentTail = ({ byOwner, comment: c, replies }: CommentSources): string =>
  `',"videoId":' || ${c}.video_id
    || ',"deletedAt":' || coalesce('"' || wire_time(${c}.deleted_at) || '"', 'null')
    || ',"isDeleted":' || (${c}.deleted_at is not null)
    || ',"totalRepliesFromVideoAuthor":' || ${byOwner} || ',"totalReplies":' || ${replies} || '}'`

/** SQL of a comment as JSON text (contract: VideoComment), over `authorTables`. */
export const commentText = (sources: CommentSources): string =>
  `${commentBasics(sources.comment)} || ${commentTail(sources)}`

/** SQL of how many replies the owner of a video wrote in the thread of a comment. */
export const repliesOf = (c: string, owner: string): string =>
  `case when ${c}.replies = 0 then 0 else (
    select count(*) from video_comment r
    where r.origin_comment_id = ${c}.id and r.account_id = ${owner} and r.shown
  ) end`
