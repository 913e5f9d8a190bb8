import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { ThreadListQuery } from "@kinora/domain/requests/CommentRequests"
import type { CommentThreads as ThreadsJson } from "@kinora/domain/wire/Comment"
import type { Json } from "@kinora/domain/wire/Json"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import {
  anyBlocked,
  type CommentReader,
  counted,
  differences,
  type Eyes,
  more,
  readerValues,
  visible
} from "./CommentReader.ts"
import { isKept, makeCommentPages } from "./CommentPages.ts"
import {
  authorColumn,
  authorTables,
  type AuthoredRow,
  commentColumns,
  commentTexts,
  repliesOf,
  threadColumns,
  threadsText,
  type ThreadColumns
} from "./CommentJson.ts"
import { makeInstanceBlocker } from "./InstanceBlocker.ts"

/** The threads of a video, with what decides whether the video may be seen (`collaborators` is left out). */
export interface ThreadsOfVideo extends VideoFacts {
  /** JSON text (contract: CommentThreadResponse). */
  readonly body: Json<ThreadsJson>
}

interface FoundRow extends VideoFacts {
  /** Threads. */
  readonly total: number
  /** Comments that are not deleted. */
  readonly comments: number
  readonly page: ReadonlyArray<AuthoredRow & ThreadColumns>
  /** Blocks hide some of what was read. */
  readonly differs: boolean
}

const named = { Id: "v.id = $1", Uuid: "v.uuid = $1::uuid" } as const

const orders: Readonly<Record<ThreadListQuery["sort"]["by"], ReadonlyArray<string>>> = {
  createdAt: ["created_at", "id"],
  totalReplies: ["replies", "created_at", "id"]
}

/**
 * One statement: the video is found first, its row id is a value to the rest, so that the threads are read in the order of
 * their index. With everybody's eyes it says as well whether blocks hide anything, so that these have to look, too.
 */
const threadsStatement = (by: keyof typeof named, { count, sort, start }: ThreadListQuery, eyes: Eyes): string => {
  const video = "(select id from v)"
  const order = orders[sort.by].map((column) => `c.${column} ${sort.descending ? "desc" : "asc"}`).join(", ")
  // Numbers that were decoded as such: the planner must not take the page for a tenth of the table.
  const page = `limit ${Math.trunc(count)}${start === 0 ? "" : ` offset ${Math.trunc(start)}`}`
  return `with v as materialized (
    select v.id, v.uuid, v.privacy, v.state, v.remote, v.is_live, v.account_id, v.channel_id, v.comments,
      v.comments_policy <> 2 as open,
      exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted
    from video v where ${named[by]}
  ) ${differences(video, eyes)}, page as materialized (
    select c.* from video_comment c
    where c.video_id = ${video} and c.origin_comment_id is null and ${visible(eyes)}
    order by ${order} ${page}
  )
  select v.id, v.uuid, v.privacy, v.state, v.remote, v.is_live as "isLive", v.account_id as "accountId", v.channel_id as "channelId",
    v.blacklisted, '{}'::integer[] as collaborators,
    ${eyes === "everybody" ? anyBlocked(video) : "false"} as differs,
    case when v.open then (
      select count(*) from video_comment c where c.video_id = ${video} and c.origin_comment_id is null and c.shown
    )${more("shown", eyes)} else 0 end::integer as total,
    case when v.open then v.comments${more("live", eyes)} else 0 end::integer as comments,
    case when v.open then coalesce((
      select json_agg(t) from (
        select ${commentColumns}, ${authorColumn},
          ${threadColumns(counted("c", "replies", eyes), repliesOf("(select account_id from v)"))}
        from page c ${authorTables} order by ${order}
      ) t
    ), '[]') else '[]' end as page
  from v`
}

/**
 * A page of threads, with everybody's eyes also where blocks hide some of it (`differs`). Undefined: no such video.
 *
 * @param values the video, and those of `readerValues`
 */
export const readThreads = Effect.fnUntraced(function* (
  sql: SqlClient,
  by: keyof typeof named,
  query: ThreadListQuery,
  eyes: Eyes,
  values: ReadonlyArray<unknown>
) {
  const [found] = yield* sql.unsafe<FoundRow>(threadsStatement(by, query, eyes), values)
  if (found === undefined) return undefined
  const { comments, page, total, ...facts } = found
  return { ...facts, body: threadsText(total, comments, (yield* commentTexts(sql, page)).join()) }
})

/** The threads below videos: what a page begins with. The newest are kept ready (CommentPages). */
export class CommentThreads extends Context.Service<
  CommentThreads,
  {
    /**
     * A page of threads and the facts of the video, whoever may see it: the caller decides. None: no such video. What
     * waits for review is there for the reader it concerns, what is blocked is not; below a video that takes no comments is
     * nothing.
     */
    readonly list: (
      video: VideoIdOrUuid,
      query: ThreadListQuery,
      reader?: CommentReader
    ) => Effect.Effect<Option.Option<ThreadsOfVideo>, DatabaseUnavailable>
    /**
     * The same, `collaborators` included, where the page is kept ready and the account sees of it what everybody does. None
     * says nothing.
     */
    readonly ready: (
      video: VideoIdOrUuid,
      query: ThreadListQuery,
      accountId: number
    ) => Effect.Effect<Option.Option<ThreadsOfVideo>, DatabaseUnavailable>
  }
>()("@kinora/storage/comments/CommentThreads") {
  static readonly layer = Layer.effect(
    CommentThreads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const blockersOf = makeInstanceBlocker(sql)
      const pages = makeCommentPages(sql, yield* Effect.scope, blockersOf)
      return CommentThreads.of({
        ready: Effect.fnUntraced(function* (video, query, accountId) {
          if (!isKept(query)) return Option.none()
          return Option.fromUndefinedOr(yield* pages.forAccount(video, query, accountId))
        }, withDatabaseErrors),
        list: Effect.fnUntraced(function* (video, query, reader) {
          if (reader === undefined && isKept(query)) {
            const ready = yield* pages.forAnybody(video, query)
            if (ready !== undefined) return Option.some(ready)
          }
          const blockers = yield* blockersOf(reader)
          const values = [video._tag === "Id" ? video.id : video.uuid, ...readerValues(blockers, reader)]
          const read = (eyes: Eyes) => readThreads(sql, video._tag, query, eyes, values)
          const found = yield* read(reader === undefined ? "everybody" : "reader")
          return Option.fromUndefinedOr(found?.differs === true ? yield* read("blocks") : found)
        }, withDatabaseErrors)
      })
    })
  )
}
