import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ReplyListQuery, TreeBounds } from "@kinora/domain/requests/CommentRequests"
import type { CommentReplies, CommentTree } from "@kinora/domain/wire/Comment"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type CommentReader, counted, differences, type Eyes, readerValues, visible } from "./CommentReader.ts"
import {
  authorColumn,
  authorTables,
  type AuthoredRow,
  commentColumns,
  commentTexts,
  repliesOf,
  threadColumns,
  type ThreadColumns
} from "./CommentJson.ts"
import { makeInstanceBlocker } from "./InstanceBlocker.ts"

/** A comment of a tree. */
interface TreeRow extends AuthoredRow, ThreadColumns {
  /** Replies to it. */
  readonly children: number
}

/** Comments of one level follow each other, the levels from the top; each with the number of replies to their root. */
type FoundRow = { readonly total: number } & (TreeRow | { readonly id: null })

/** The one row of a root without replies is none. */
const isComment = (row: FoundRow): row is FoundRow & TreeRow => row.id !== null

const { comments: mostComments, commentBytes } = constraints.comment.tree

/**
 * Walks down level by level and stops when as many comments, or as much text, were found as one answer may hold: what is
 * left out is then of the deepest levels, and `totalChildren` counts it.
 */
const treeStatement = (base: string, condition: string, eyes: Eyes, next: number): string => {
  const owner = "(select account_id from video where id = $1)"
  const first = (text: string) => `(case when c.origin_comment_id is not null then 0 else ${text} end)`
  const replies = first(counted("c", "replies", eyes))
  return `with recursive parent_id as (select $${next}::integer as id) ${differences("$1", eyes)}, parent as materialized (
    select c.* from video_comment c
    where c.id = (select id from parent_id) and c.video_id = $1 and ${visible(eyes)} ${condition}
      and exists (select from video v where v.id = $1 and v.comments_policy <> 2)
  ), tree (id, depth, bytes) as (
    ${base}
    union all
    select r.id, t.depth + 1, r.bytes from tree t cross join lateral (
      select c.id, octet_length(c.text) as bytes from video_comment c
      where c.in_reply_to_comment_id = t.id and ${visible(eyes)}
      order by c.created_at, c.id limit $${next + 2}
    ) r where t.depth < $${next + 1}
  ), answered as (
    select t.id, t.position from (
      select t.id, row_number() over so_far as position, sum(t.bytes) over so_far as bytes
      from (select id, bytes from tree limit ${mostComments}) t window so_far as (rows unbounded preceding)
    ) t where t.position = 1 or t.bytes <= ${commentBytes}
  )
  select ${counted("p", "children", eyes)}::integer as total, x.* from parent p left join (
    select t.position, ${counted("c", "children", eyes)}::integer as children, ${commentColumns}, ${authorColumn},
      ${threadColumns(replies, first(repliesOf(owner)))}
    from answered t join video_comment c on c.id = t.id ${authorTables}
  ) x on true order by x.position`
}

const statements = (eyes: "blocks" | "reader") => {
  const next = eyes === "reader" ? 5 : 3
  const replies = (way: "asc" | "desc") =>
    treeStatement(
      `(select c.id, 1, octet_length(c.text) from video_comment c
        where c.in_reply_to_comment_id = (select id from parent) and ${visible(eyes)}
        order by c.created_at ${way}, c.id ${way} limit $${next + 3} offset $${next + 4})`,
      "",
      eyes,
      next
    )
  return {
    thread: treeStatement(
      "select id, 0, octet_length(text) from parent",
      "and c.origin_comment_id is null",
      eyes,
      next
    ),
    asc: replies("asc"),
    desc: replies("desc")
  }
}
const forEverybody = statements("blocks")
const forOne = statements("reader")

/** Builds the tree from the flat list; rows come from the top, so that the last ones are leaves. */
const nested = (rows: ReadonlyArray<TreeRow>, texts: ReadonlyArray<string>, top: number | null): string => {
  const below = new Map<number | null, Array<string>>()
  for (let n = rows.length - 1; n >= 0; n--) {
    const { children, id, inReplyToCommentId } = rows[n]!
    const replies = (below.get(id) ?? []).toReversed().join(",")
    const text = `{"comment":${texts[n]},"totalChildren":${children},"children":[${replies}]}`
    const siblings = below.get(inReplyToCommentId)
    if (siblings === undefined) below.set(inReplyToCommentId, [text])
    else siblings.push(text)
  }
  return (below.get(top) ?? []).toReversed().join(",")
}

/** Threads as trees of comments, cut off where they are large, and what was cut off. */
export class CommentTrees extends Context.Service<
  CommentTrees,
  {
    /** JSON text (contract: VideoCommentThreadTree); none: the video has no such thread that the reader may see. */
    readonly thread: (
      videoId: number,
      threadId: number,
      bounds: TreeBounds,
      reader?: CommentReader
    ) => Effect.Effect<Option.Option<Json<CommentTree>>, DatabaseUnavailable>
    /** A page of replies, each as a tree: `{"total":…,"data":[…]}`; none: as above. */
    readonly replies: (
      videoId: number,
      commentId: number,
      query: ReplyListQuery,
      reader?: CommentReader
    ) => Effect.Effect<Option.Option<Json<CommentReplies>>, DatabaseUnavailable>
  }
>()("@kinora/storage/comments/CommentTrees") {
  static readonly layer = Layer.effect(
    CommentTrees,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const blockersOf = makeInstanceBlocker(sql)

      const read = Effect.fnUntraced(function* (
        statement: "thread" | "asc" | "desc",
        videoId: number,
        commentId: number,
        bounds: TreeBounds,
        page: ReadonlyArray<number>,
        reader: CommentReader | undefined
      ) {
        const found = yield* sql.unsafe<FoundRow>((reader === undefined ? forEverybody : forOne)[statement], [
          videoId,
          ...readerValues(yield* blockersOf(reader), reader),
          commentId,
          bounds.maxDepth,
          bounds.repliesPerLevel,
          ...page
        ])
        const rows = found.filter(isComment)
        const texts = yield* commentTexts(sql, rows)
        return { total: found[0]?.total, below: (top: number | null) => nested(rows, texts, top) }
      })

      return CommentTrees.of({
        thread: Effect.fn("CommentTrees.thread")(function* (videoId, threadId, bounds, reader) {
          const { below, total } = yield* read("thread", videoId, threadId, bounds, [], reader)
          return total === undefined ? Option.none() : Option.some(jsonOf<CommentTree>(below(null)))
        }, withDatabaseErrors),
        replies: Effect.fn("CommentTrees.replies")(function* (videoId, commentId, query, reader) {
          const way = query.sort.descending ? "desc" : "asc"
          const { below, total } = yield* read(way, videoId, commentId, query, [query.count, query.start], reader)
          if (total === undefined) return Option.none()
          return Option.some(jsonOf<CommentReplies>(`{"total":${total},"data":[${below(commentId)}]}`))
        }, withDatabaseErrors)
      })
    })
  )
}
