import { constraints } from "@kinora/domain/enums/Constraints"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ReplyListQuery, TreeBounds } from "@kinora/domain/requests/CommentRequests"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { type CommentReader, counted, differences, type Eyes, readerValues, visible } from "./CommentReader.ts"
import { authorTables, commentText, repliesOf } from "./CommentText.ts"
import { makeInstanceBlocker } from "./InstanceBlocker.ts"

/** A comment of a tree; those of one level follow each other, the levels from the top. All null: there is none. */
interface Told {
  readonly total: number
  readonly id: number | null
  readonly parent: number | null
  readonly children: number
  readonly item: string
}

const { comments: mostComments, commentBytes } = constraints.comment.tree

/**
 * Walks down level by level and stops when as many comments, or as much text, were found as one answer may tell: what is
 * left out is then of the deepest levels, and `totalChildren` tells of it.
 */
const treeStatement = (base: string, condition: string, eyes: Eyes, next: number): string => {
  const owner = "(select account_id from video where id = $1)"
  const first = (text: string) => `(case when c.origin_comment_id is not null then 0 else ${text} end)`
  const item = commentText({
    comment: "c",
    replies: first(counted("c", "replies", eyes)),
    byOwner: first(repliesOf("c", owner))
  })
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
    select t.position, c.id, c.in_reply_to_comment_id as parent, ${counted("c", "children", eyes)}::integer as children,
      ${item} as item
    from answered t join video_comment c on c.id = t.id ${authorTables("c")}
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
const nested = (rows: ReadonlyArray<Told>, top: number | null): string => {
  const below = new Map<number | null, Array<string>>()
  for (const row of rows.toReversed()) {
    const children = (below.get(row.id) ?? []).toReversed().join(",")
    const text = `{"comment":${row.item},"totalChildren":${row.children},"children":[${children}]}`
    const siblings = below.get(row.parent)
    if (siblings === undefined) below.set(row.parent, [text])
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
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** A page of replies, each as a tree: `{"total":…,"data":[…]}`; none: as above. */
    readonly replies: (
      videoId: number,
      commentId: number,
      query: ReplyListQuery,
      reader?: CommentReader
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
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
        return yield* sql.unsafe<Told>((reader === undefined ? forEverybody : forOne)[statement], [
          videoId,
          ...readerValues(yield* blockersOf(reader), reader),
          commentId,
          bounds.maxDepth,
          bounds.repliesPerLevel,
          ...page
        ])
      })

      return CommentTrees.of({
        thread: Effect.fn("CommentTrees.thread")(function* (videoId, threadId, bounds, reader) {
          const rows = yield* read("thread", videoId, threadId, bounds, [], reader)
          return rows.length === 0 ? Option.none() : Option.some(nested(rows, null))
        }, withDatabaseErrors),
        replies: Effect.fn("CommentTrees.replies")(function* (videoId, commentId, query, reader) {
          const way = query.sort.descending ? "desc" : "asc"
          const rows = yield* read(way, videoId, commentId, query, [query.count, query.start], reader)
          const [first] = rows
          if (first === undefined) return Option.none()
          const items = first.id === null ? "" : nested(rows, commentId)
          return Option.some(`{"total":${first.total},"data":[${items}]}`)
        }, withDatabaseErrors)
      })
    })
  )
}
