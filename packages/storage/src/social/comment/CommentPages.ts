import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { ThreadListQuery } from "@kinora/domain/requests/CommentRequests"
import type { CommentThreads } from "@kinora/domain/wire/Comment"
import type { Json } from "@kinora/domain/wire/Json"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
import { makeBatchedReads } from "../../platform/database/BatchedReads.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import { anyBlocked } from "./CommentReader.ts"
import {
  type Authored,
  authorTables,
  authorTexts,
  commentColumns,
  commentHead,
  type CommentRow,
  commentTail,
  repliesOf,
  threadColumns,
  type ThreadColumns,
  threadsText
} from "./CommentJson.ts"

/** Threads that are kept ready of a video. */
const keptThreads = 15

/** Videos of one statement. */
const atMost = 64

export interface ReadyPage extends VideoFacts {
  /** JSON text (contract: CommentThreadResponse). */
  readonly body: Json<CommentThreads>
}

interface ThreadParts extends Authored {
  readonly head: string
  readonly tail: string
}

interface Row extends VideoFacts {
  readonly n: number
  /** False: the page has to be made. */
  readonly kept: boolean
  readonly total: number
  readonly comments: number
  /** JSON text of the threads; null: the text of an author is not kept at the moment. */
  readonly items: string | null
  /** The threads in parts, where `items` is null. */
  readonly parts: ReadonlyArray<ThreadParts> | null
  /** Blocks hide something below the video, or, for who is logged in, something there waits for review. */
  readonly differs: boolean
}

/** Whether the ready pages have what is asked for. */
export const isKept = ({ count, sort, start }: ThreadListQuery): boolean =>
  start === 0 && count <= keptThreads && sort.by === "createdAt" && sort.descending

interface PageRow {
  readonly id: number
  readonly total: number
  readonly threads: ReadonlyArray<CommentRow & ThreadColumns>
}

/** What everybody sees of videos where nothing is blocked. */
const newest = `
  select x.id, (
      select count(*)::integer from video_comment c where c.video_id = x.id and c.origin_comment_id is null and c.shown
    ) as total, coalesce((
      select json_agg(t) from (
        select ${commentColumns},
          ${threadColumns("c.replies", repliesOf("(select account_id from video where id = x.id)"))}
        from video_comment c ${authorTables}
        where c.video_id = x.id and c.origin_comment_id is null and c.shown
        order by c.created_at desc, c.id desc limit ${keptThreads}
      ) t
    ), '[]') as threads
  from unnest($1::integer[]) x (id)`

/** Writes pages that were locked before. */
const fill = `
  update comment_page p set form = $2, total = m.total, heads = m.heads, authors = m.authors, tails = m.tails
  from jsonb_to_recordset($1::jsonb) m (id integer, total integer, heads text[], authors integer[], tails text[])
  where p.video_id = m.id`

const pageOf = ({ id, threads, total }: PageRow) => ({
  id,
  total,
  heads: threads.map(commentHead),
  authors: threads.map(({ authorActorId }) => authorActorId),
  tails: threads.map(commentTail)
})

/** Pages that another version of this program has made are none: this is another text with each change of their form. */
const form = hash(
  "sha1",
  JSON.stringify([
    newest,
    pageOf({
      id: 1,
      total: 1,
      threads: [
        {
          id: 1,
          url: "u",
          text: "t",
          threadId: 1,
          inReplyToCommentId: null,
          createdAt: "c",
          updatedAt: "u",
          heldForReview: false,
          authorActorId: 1,
          videoId: 1,
          deletedAt: null,
          repliesOfOwner: 1,
          replies: 1
        }
      ]
    })
  ]),
  "base64url"
)

const nobody = "'{}'::integer[]"
const collaborators = `array(
  select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
)`

/**
 * Values: names of videos, who blocks, how many threads of each, the form of pages. Threads and authors come in the order
 * they are kept in.
 */
const statement = (type: "integer" | "uuid", loggedIn: boolean): string => `
  select k.n::integer as n, v.id, v.uuid, v.privacy, v.state, v.remote, v.is_live as "isLive", v.account_id as "accountId",
    v.channel_id as "channelId", exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted,
    ${loggedIn ? collaborators : nobody} as collaborators,
    ${anyBlocked("v.id")}${loggedIn ? " or exists (select from video_comment c where c.video_id = v.id and c.held_for_review)" : ""}
      as differs,
    v.comments_policy = 2 or p.video_id is not null
      or not exists (select from video_comment c where c.video_id = v.id) as kept,
    case when v.comments_policy <> 2 then coalesce(p.total, 0) else 0 end as total,
    case when v.comments_policy <> 2 then v.comments else 0 end as comments,
    case when v.comments_policy = 2 or p.video_id is null then ''
      when array_position(i.items, null) is null then array_to_string(i.items, ',') end as items,
    case when array_position(i.items, null) is not null then (
      select json_agg(t) from (
        select x.head, x.tail, x.author as "authorActorId",
          (select w.text from actor_read_model w where w.actor_id = x.author) as "authorText"
        from unnest(p.heads, p.authors, p.tails) x (head, author, tail) limit k.count
      ) t
    ) end as parts
  from unnest($1::${type}[], $3::integer[]) with ordinality k (name, count, n)
    join video v on v.${type === "uuid" ? "uuid" : "id"} = k.name
    left join comment_page p on p.video_id = v.id and p.form = $4
    left join lateral (
      select array(
        select x.head || case when x.author is null then 'null' else (
          select w.text from actor_read_model w where w.actor_id = x.author
        ) end || x.tail from unnest(p.heads, p.authors, p.tails) x (head, author, tail) limit k.count
      ) as items
    ) i on true`

const statements = {
  Id: { anybody: statement("integer", false), account: statement("integer", true) },
  Uuid: { anybody: statement("uuid", false), account: statement("uuid", true) }
} as const

interface Asked {
  readonly name: number | string
  readonly count: number
}

/**
 * The newest threads of videos from where they are kept ready. Undefined: there is no such video, its page was voided (it is
 * made then, for who asks next), or the reader sees something else there than everybody does.
 */
export const makeCommentPages = (
  sql: SqlClient,
  scope: Scope.Scope,
  blockersOf: (reader?: { readonly accountId: number }) => Effect.Effect<ReadonlyArray<number>, SqlError>
) => {
  let isMaking = false

  /** A page is locked before what it shows is read, by a statement of its own: see sql/social/functions/comment-pages.sql. Waits for nobody. */
  const make = (videoIds: ReadonlyArray<number>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const locked = yield* sql<{ id: number }>`
          select video_id as id from comment_page
          where video_id = any(${videoIds}::integer[]) and form is distinct from ${form}
          order by video_id for no key update skip locked`
        const ids = locked.map(({ id }) => id)
        if (ids.length === 0) return
        const rows = yield* sql.unsafe<PageRow>(newest, [ids])
        yield* sql.unsafe(fill, [JSON.stringify(rows.map(pageOf)), form])
      })
    )

  const ask = (videoIds: ReadonlyArray<number>): Effect.Effect<void> => {
    if (isMaking || videoIds.length === 0) return Effect.void
    isMaking = true
    return make(videoIds).pipe(
      Effect.ignore({ log: "Debug" }),
      Effect.ensuring(Effect.sync(() => void (isMaking = false))),
      Effect.forkIn(scope),
      Effect.asVoid
    )
  }

  const joined = Effect.fnUntraced(function* (parts: ReadonlyArray<ThreadParts>) {
    const authors = yield* authorTexts(sql, parts)
    return parts.map(({ head, tail }, n) => `${head}${authors[n]}${tail}`).join()
  })

  const read = Effect.fnUntraced(function* (by: "Id" | "Uuid", asked: ReadonlyArray<Asked>, accountId?: number) {
    const blockers = yield* blockersOf(accountId === undefined ? undefined : { accountId })
    const rows = yield* sql.unsafe<Row>(statements[by][accountId === undefined ? "anybody" : "account"], [
      asked.map(({ name }) => name),
      blockers,
      asked.map(({ count }) => count),
      form
    ])
    const missing: Array<number> = []
    const found = new Map<string, ReadyPage>()
    for (const { comments, differs, items, kept, n, parts, total, ...facts } of rows) {
      if (!kept) missing.push(facts.id)
      else if (!differs) {
        const body = threadsText(total, comments, items ?? (yield* joined(parts ?? [])))
        found.set(nameOf(asked[n - 1]!), { ...facts, body })
      }
    }
    yield* ask(missing)
    return found as ReadonlyMap<string, ReadyPage>
  })

  const nameOf = ({ count, name }: Asked): string => `${name} ${count}`
  const askedOf = (video: VideoIdOrUuid, { count }: ThreadListQuery): Asked => ({
    name: video._tag === "Id" ? video.id : video.uuid,
    count
  })
  const batched = (by: "Id" | "Uuid") =>
    makeBatchedReads<Asked, ReadyPage, SqlError>({ read: (keys) => read(by, keys), nameOf, atMost, scope })
  const forAnybody = { Id: batched("Id"), Uuid: batched("Uuid") }

  return {
    forAnybody: (video: VideoIdOrUuid, query: ThreadListQuery): Effect.Effect<ReadyPage | undefined, SqlError> =>
      forAnybody[video._tag](askedOf(video, query)),
    /** With the collaborators of the channel, which decide what the reader may see. */
    forAccount: (video: VideoIdOrUuid, query: ThreadListQuery, accountId: number) => {
      const asked = askedOf(video, query)
      return Effect.map(read(video._tag, [asked], accountId), (found) => found.get(nameOf(asked)))
    }
  }
}
