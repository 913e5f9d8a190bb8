import type { AbuseKind } from "@kinora/domain/requests/AbuseRequests"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What is reported, by its row id. */
export interface ThingNamed {
  readonly kind: AbuseKind
  readonly id: number
}

/** A thing that can be reported, as a row of `abuse` has it. */
export interface ReportedThing {
  /** Whose it is; of an account, the account itself. */
  readonly flaggedAccountId: number | null
  readonly videoId: number | null
  readonly commentId: number | null
  /** What it is now: moderators judge this when it is gone. */
  readonly target: Readonly<Record<string, string | number | boolean>>
}

const video = Effect.fnUntraced(function* (sql: SqlClient, id: number) {
  const [row] = yield* sql<{ accountId: number; uuid: string; name: string; nsfw: boolean; channelId: number }>`
    select account_id as "accountId", uuid::text as uuid, name, nsfw, channel_id as "channelId"
    from video where id = ${id} for key share`
  if (row === undefined) return undefined
  const { accountId, ...target } = row
  const thing: ReportedThing = {
    flaggedAccountId: accountId,
    videoId: id,
    commentId: null,
    target: { id, ...target }
  }
  return thing
})

interface CommentRow {
  readonly accountId: number | null
  readonly threadId: number
  readonly text: string
  readonly videoId: number
  readonly uuid: string
  readonly name: string
}

const comment = Effect.fnUntraced(function* (sql: SqlClient, id: number) {
  const [row] = yield* sql<CommentRow>`
    select c.account_id as "accountId", coalesce(c.origin_comment_id, c.id) as "threadId", c.text, v.id as "videoId",
      v.uuid::text as uuid, v.name
    from video_comment c join video v on v.id = c.video_id
    where c.id = ${id} and c.deleted_at is null for key share of c`
  if (row === undefined) return undefined
  const { accountId, ...target } = row
  const thing: ReportedThing = {
    flaggedAccountId: accountId,
    videoId: null,
    commentId: id,
    target: { id, ...target }
  }
  return thing
})

const account = Effect.fnUntraced(function* (sql: SqlClient, id: number) {
  const [row] = yield* sql<{ name: string; displayName: string }>`
    select a.preferred_username::text as name, o.display_name as "displayName"
    from account o join actor a on a.id = o.actor_id
    where o.id = ${id} and (a.server_id is not null or a.type <> 'Application') for key share of o`
  if (row === undefined) return undefined
  const thing: ReportedThing = { flaggedAccountId: id, videoId: null, commentId: null, target: { id, ...row } }
  return thing
})

const readers = { video, comment, account } as const

/**
 * Reads what is reported, and has it stay until the caller's transaction ends. Undefined: it is gone, or is the account of
 * this instance itself.
 */
export const reportedThing = (sql: SqlClient, { id, kind }: ThingNamed) => readers[kind](sql, id)
