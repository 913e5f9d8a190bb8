/** Who reads comments, which decides what is hidden and what waits for review: see node's CommentRights. */
export interface CommentReader {
  readonly accountId: number
  /** Sees everything that waits for review below the video, not only what is their own. */
  readonly reviews: boolean
}

/**
 * Whose eyes a statement reads with: everybody's where nothing is blocked, everybody's with the blocks of the instance
 * (`$2`: who blocks), or those of one reader (`$3`: the account, `$4`: whether it reviews).
 */
export type Eyes = "everybody" | "blocks" | "reader"

/** Parameters a statement about a video's comments begins with, `$1` being the video: who blocks, and who reads. */
export const readerValues = (blockers: ReadonlyArray<number>, reader: CommentReader | undefined) =>
  reader === undefined ? [blockers] : [blockers, reader.accountId, reader.reviews]

/** Walked from the blocks: there are few of them beside comments, and an index finds what each account said. */
const blocked = (video: string, select: (table: string) => string): ReadonlyArray<string> => [
  `${select("c")} from account_block b join video_comment c on c.account_id = b.target_account_id
    where b.account_id = any($2::integer[]) and c.video_id = ${video}`,
  `${select("c")} from server_block b join video_comment c on c.server_id = b.server_id
    where b.account_id = any($2::integer[]) and c.video_id = ${video}`
]

/** SQL of whether blocks hide anything below a video. */
export const anyBlocked = (video: string): string =>
  `(${blocked(video, () => "select")
    .map((rows) => `exists (${rows})`)
    .join(" or ")})`

const hidden = (video: string): string =>
  blocked(
    video,
    (c) => `select ${c}.id, ${c}.origin_comment_id as origin, ${c}.in_reply_to_comment_id as parent, ${c}.shown,
      ${c}.shown and ${c}.deleted_at is null as live`
  ).join(" union ")

const held = (video: string): string =>
  `select c.id, c.origin_comment_id as origin, c.in_reply_to_comment_id as parent from video_comment c
    where c.video_id = ${video} and c.held_for_review and ($4::boolean or c.account_id = $3::integer)
      and c.id not in (select id from hidden)`

/**
 * SQL of what differs from what everybody sees below a video: comments `hidden` by blocks and those `held` for review that
 * are there for the reader, and both as changes of numbers: of comments in threads, of replies to comments. Begins with a
 * comma.
 */
export const differences = (video: string, eyes: Eyes): string =>
  eyes === "everybody"
    ? ""
    : `, hidden as materialized (${hidden(video)})${eyes === "reader" ? `, held as materialized (${held(video)})` : ""},
  changes as materialized (
    select h.origin, h.parent, -h.shown::integer as shown, -h.live::integer as live from hidden h
    ${eyes === "reader" ? "union all select origin, parent, 1, 1 from held" : ""}
  ),
  in_threads as materialized (select origin as id, sum(live) as change from changes where origin is not null group by 1),
  in_replies as materialized (select parent as id, sum(shown) as change from changes where parent is not null group by 1)`

/** SQL of whether a comment `c` is seen. */
export const visible = (eyes: Eyes): string =>
  eyes === "everybody"
    ? "c.shown"
    : `(c.shown${eyes === "reader" ? " or c.id in (select id from held)" : ""}) and c.id not in (select id from hidden)`

/** SQL of a number that stands in a row of comments, as it is for the reader. */
export const counted = (c: string, column: "replies" | "children", eyes: Eyes): string =>
  eyes === "everybody"
    ? `${c}.${column}`
    : `(${c}.${column} + coalesce((
        select d.change from ${column === "replies" ? "in_threads" : "in_replies"} d where d.id = ${c}.id
      ), 0))`

/** SQL of how many threads (`shown`) or comments (`live`) there are more or fewer for the reader; begins with an operator. */
export const more = (column: "shown" | "live", eyes: Eyes): string =>
  eyes === "everybody"
    ? ""
    : ` + coalesce((select sum(${column}) from changes ${column === "shown" ? "where origin is null" : ""}), 0)`
