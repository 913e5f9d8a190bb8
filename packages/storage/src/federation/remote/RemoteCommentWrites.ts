import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { receivedActivities } from "../outbox/ReceivedActivities.ts"
import { isMuted } from "./Muted.ts"
import type { AddedComment, NewRemoteComment, RemoteCommentOutcome } from "./NewRemoteComment.ts"

/** What the tables say of a comment before it is written. */
interface CommentFacts {
  /** Row of the video, null when it is gone. */
  readonly video: number | null
  readonly hasAccount: boolean
  /** A row with its address. */
  readonly known: number | null
  readonly gone: boolean
  /** The video is one of ours. */
  readonly isOurs: boolean
  /** It takes no comments. */
  readonly disabled: boolean
  readonly muted: boolean
}

/** A comment that others may reply to. */
interface Parent {
  readonly id: number
  readonly videoId: number
  /** The first of its thread, itself where it is that. */
  readonly originId: number
  readonly held: boolean
}

/** A comment with the rows it hangs on. */
interface Placed extends NewRemoteComment {
  readonly id: number
  readonly parentId: number | null
  readonly originId: number | null
  readonly held: boolean
  /** Below a video of ours. */
  readonly isOurs: boolean
}

const refusal = ({ disabled, gone, hasAccount, muted, video }: CommentFacts): RemoteCommentOutcome | undefined => {
  if (!hasAccount) return "no account"
  if (video === null) return "no video"
  if (gone) return "gone"
  if (disabled) return "disabled"
  return muted ? "muted" : undefined
}

/** How often each id is among these. */
const counted = (ids: ReadonlyArray<number | null>) => {
  const counts = new Map<number, number>()
  for (const id of ids) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  return { ids: [...counts.keys()], counts: [...counts.values()] }
}

/** SQL of whether a comment is one that others can refer to: a deleted one is as long as somebody answers it. */
export const standsInThread = (comment: string): string =>
  `(${comment}.deleted_at is null or exists (select from video_comment r where r.in_reply_to_comment_id = ${comment}.id))`

/**
 * Writes comments of people elsewhere, one as many, with the counts of those above them and of their videos. To be run in a
 * transaction. As everything that writes comments it locks accounts, then videos, and writes the videos' counts last.
 */
export const remoteCommentWrites = (sql: SqlClient) => {
  const received = receivedActivities(sql)

  const lock = (comments: ReadonlyArray<NewRemoteComment>) =>
    Effect.andThen(
      sql`
        select 1 from account where id = any(${comments.map((it) => it.accountId)}::integer[]) order by id for key share`,
      sql`
        select 1 from video where id = any(${comments.map((it) => it.videoId)}::integer[]) order by id for no key update`
    )

  const factsOf = (comments: ReadonlyArray<NewRemoteComment>) => sql<CommentFacts>`
    select v.id as video, a.id is not null as "hasAccount", k.id as known,
      exists (select from comment_gone g where g.url = n.url) as gone, v.remote is false as "isOurs",
      coalesce(v.comments_policy = 2, false) as disabled,
      ${isMuted(sql, "n.account", "v.account_id")} as muted
    from unnest(${comments.map((it) => it.url)}::text[], ${comments.map((it) => it.videoId)}::integer[],
        ${comments.map((it) => it.accountId)}::integer[]) with ordinality n (url, video, account, nth)
      left join video v on v.id = n.video left join account a on a.id = n.account
      left join video_comment k on k.url = n.url
    order by n.nth`

  const parentsOf = Effect.fnUntraced(function* (comments: ReadonlyArray<NewRemoteComment>) {
    const urls = [...new Set(comments.flatMap(({ parent }) => parent ?? []))]
    if (urls.length === 0) return new Map<string, Parent>()
    const rows = yield* sql<Parent & { readonly url: string }>`
      select url, id, video_id as "videoId", coalesce(origin_comment_id, id) as "originId", held_for_review as held
      from video_comment c where url = any(${urls}::text[]) and ${sql.literal(standsInThread("c"))}`
    return new Map(rows.map((row) => [row.url, row as Parent]))
  })

  const nextIds = Effect.fnUntraced(function* (count: number) {
    const rows = yield* sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('video_comment', 'id'))::integer as id from generate_series(1, ${count}::integer)`
    return rows.map(({ id }) => id)
  })

  const insert = (placed: ReadonlyArray<Placed>) => sql`
    insert into video_comment (id, url, video_id, account_id, server_id, origin_comment_id, in_reply_to_comment_id, text,
      held_for_review, shown, created_at, updated_at)
    select n.id, n.url, n."videoId", n."accountId", a.server_id, n."originId", n."parentId", n.text, n.held, not n.held,
      least(coalesce(n.published, now()), now()), least(coalesce(n.updated, n.published, now()), now())
    from jsonb_to_recordset(${JSON.stringify(placed)}::text::jsonb) n (id integer, url text, "videoId" integer,
        "accountId" integer, "originId" integer, "parentId" integer, text text, held boolean, published timestamptz,
        updated timestamptz)
      join account c on c.id = n."accountId" join actor a on a.id = c.actor_id
    order by n.id`

  const notify = Effect.fnUntraced(function* (placed: ReadonlyArray<Placed>) {
    const ids = placed.flatMap(({ id, news }) => (news ? [id] : []))
    if (ids.length === 0) return
    yield* sql`
      insert into notification_event (tag, subject)
      select 'NewComment', id from unnest(${ids}::integer[]) u (id) order by id`
  })

  /** What everybody may read below a video of ours is sent on as it came. */
  const keepReceived = Effect.fnUntraced(function* (placed: ReadonlyArray<Placed>) {
    const ids = placed.flatMap(({ held, id, isOurs }) => (isOurs && !held ? [id] : []))
    if (ids.length > 0) yield* received.created(ids)
  })

  /** Those that are shown count, above them and for their video. */
  const count = Effect.fnUntraced(function* (placed: ReadonlyArray<Placed>) {
    const shown = placed.filter(({ held }) => !held)
    if (shown.length === 0) return
    const children = counted(shown.map(({ parentId }) => parentId))
    const replies = counted(shown.map(({ originId }) => originId))
    if (children.ids.length > 0) {
      yield* sql`
        update video_comment c set children = c.children + n.children, replies = c.replies + n.replies
        from (
          select id, sum(children)::integer as children, sum(replies)::integer as replies from (
            select id, n as children, 0 as replies
              from unnest(${children.ids}::integer[], ${children.counts}::integer[]) u (id, n)
            union all
            select id, 0, n from unnest(${replies.ids}::integer[], ${replies.counts}::integer[]) u (id, n)
          ) b group by id
        ) n where c.id = n.id`
      // A deleted one is seen again, now that there is something below it.
      yield* sql`
        select settle_comment(id) from (
          select id from video_comment where id = any(${children.ids}::integer[]) and not shown order by id desc offset 0
        ) c`
    }
    const videos = counted(shown.map(({ videoId }) => videoId))
    yield* sql`
      update video v set comments = v.comments + n.comments
      from unnest(${videos.ids}::integer[], ${videos.counts}::integer[]) n (id, comments) where v.id = n.id`
  })

  return Effect.fnUntraced(function* (comments: ReadonlyArray<NewRemoteComment>) {
    if (comments.length === 0) return []
    yield* lock(comments)
    const facts = yield* factsOf(comments)
    const parents = yield* parentsOf(comments)
    const ids = yield* nextIds(comments.length)
    const placed: Array<Placed> = []
    const written = new Map<string, number>()
    const added: Array<AddedComment> = []
    for (const [nth, comment] of comments.entries()) {
      const known = facts[nth]!.known ?? written.get(comment.url)
      if (known !== undefined) {
        added.push({ outcome: "known", id: known })
        continue
      }
      const parent = comment.parent === null ? null : parents.get(comment.parent)
      const why = refusal(facts[nth]!) ?? (parent === undefined ? "no comment" : undefined)
      if (why !== undefined || parent === undefined || (parent !== null && parent.videoId !== comment.videoId)) {
        added.push({ outcome: why ?? "no comment", id: null })
        continue
      }
      const id = ids[nth]!
      const held = comment.hold || parent?.held === true
      const originId = parent?.originId ?? null
      const { isOurs } = facts[nth]!
      placed.push({ ...comment, id, held, isOurs, originId, parentId: parent?.id ?? null })
      written.set(comment.url, id)
      parents.set(comment.url, { id, videoId: comment.videoId, originId: originId ?? id, held })
      added.push({ outcome: held ? "held" : "written", id })
    }
    if (placed.length > 0) {
      yield* insert(placed)
      yield* keepReceived(placed)
      yield* count(placed)
      yield* notify(placed)
    }
    return added
  })
}
