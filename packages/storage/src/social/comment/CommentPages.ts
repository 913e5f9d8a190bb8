import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { ThreadListQuery } from "@kinora/domain/requests/CommentRequests"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { hash } from "node:crypto"
import { makeBatchedReads } from "../../platform/database/BatchedReads.ts"
import type { VideoFacts } from "../../video/access/VideoFacts.ts"
import { anyBlocked } from "./CommentReader.ts"
import { commentHead, commentTail, repliesOf } from "./CommentText.ts"

/** Threads that are kept ready of a video. */
const keptThreads = 15

/** Videos of one statement. */
const atMost = 64

export interface ReadyPage extends VideoFacts {
  /** JSON text (contract: CommentThreadResponse). */
  readonly body: string
}

interface Row extends VideoFacts {
  readonly n: number
  /** Null: it has to be made. */
  readonly body: string | null
  /** Blocks hide something below the video, or, for who is logged in, something there waits for review. */
  readonly differs: boolean
}

/** Whether the ready pages have what is asked for. */
export const isKept = ({ count, sort, start }: ThreadListQuery): boolean =>
  start === 0 && count <= keptThreads && sort.by === "createdAt" && sort.descending

const tail = commentTail({
  comment: "c",
  replies: "c.replies",
  byOwner: repliesOf("c", "(select account_id from video where id = x.id)")
})

/** Makes pages that were locked before: what everybody sees where nothing is blocked. */
const fill = `
  update comment_page p set form = $2, total = m.total, heads = m.heads, authors = m.authors, tails = m.tails
  from unnest($1::integer[]) x (id) cross join lateral (
    select coalesce(array_agg(t.head), '{}') as heads, coalesce(array_agg(t.author), '{}') as authors,
      coalesce(array_agg(t.tail), '{}') as tails,
      (select count(*) from video_comment c where c.video_id = x.id and c.origin_comment_id is null and c.shown) as total
    from (
      select ${commentHead("c")} as head, ca.actor_id as author, ${tail} as tail
      from video_comment c left join account ca on ca.id = c.account_id
      where c.video_id = x.id and c.origin_comment_id is null and c.shown
      order by c.created_at desc, c.id desc limit ${keptThreads}
    ) t
  ) m where p.video_id = x.id`

/** Pages that another version of this program has made are none. */
const form = hash("sha1", fill, "base64url")

const author = `case when x.author is null then 'null' else coalesce(
  (select w.wire from actor_wire w where w.actor_id = x.author),
  (select wire_account(a.id) from account a where a.actor_id = x.author), 'null') end`

const page = (total: string, data: string) =>
  `'{"total":' || ${total} || ',"totalNotDeletedComments":' || v.comments || ',"data":[' || ${data} || ']}'`

const nobody = "'{}'::integer[]"
const collaborators = `array(
  select k.account_id from video_channel_collaborator k where k.channel_id = v.channel_id and k.state = 2
)`

/**
 * Values: names of videos, who blocks, how many threads of each, the form of pages. Threads and authors come in the order
 * they are kept in.
 */
const statement = (type: "integer" | "uuid", loggedIn: boolean): string => `
  select k.n::integer as n, v.id, v.uuid, v.privacy, v.state, v.remote, v.account_id as "accountId",
    v.channel_id as "channelId", exists (select 1 from video_blacklist b where b.video_id = v.id) as blacklisted,
    ${loggedIn ? collaborators : nobody} as collaborators,
    ${anyBlocked("v.id")}${loggedIn ? " or exists (select from video_comment c where c.video_id = v.id and c.held_for_review)" : ""}
      as differs,
    case
      when v.comments_policy = 2 then '{"total":0,"totalNotDeletedComments":0,"data":[]}'
      when p.video_id is not null then ${page(
        "p.total",
        `array_to_string(array(
          select x.head || ${author} || x.tail from unnest(p.heads, p.authors, p.tails) x (head, author, tail) limit k.count
        ), ',')`
      )}
      when not exists (select from video_comment c where c.video_id = v.id) then ${page("0", "''")}
    end as body
  from unnest($1::${type}[], $3::integer[]) with ordinality k (name, count, n)
    join video v on v.${type === "uuid" ? "uuid" : "id"} = k.name
    left join comment_page p on p.video_id = v.id and p.form = $4`

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
        if (ids.length > 0) yield* sql.unsafe(fill, [ids, form])
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
    for (const { body, differs, n, ...facts } of rows) {
      if (body === null) missing.push(facts.id)
      else if (!differs) found.set(nameOf(asked[n - 1]!), { ...facts, body })
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
