import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Something of ours that is reported, with what is kept of it: it may be gone when moderators look. */
export interface ReportedThing {
  readonly kind: "video" | "comment" | "account"
  /** Row of the account it belongs to. */
  readonly accountId: number | null
  readonly videoId: number | null
  readonly commentId: number | null
  readonly target: Readonly<Record<string, unknown>> & { readonly id: number }
}

interface VideoRow {
  readonly id: number
  readonly accountId: number
  readonly uuid: string
  readonly name: string
  readonly nsfw: boolean
  readonly channelId: number
}

interface CommentRow {
  readonly id: number
  readonly accountId: number | null
  readonly threadId: number
  readonly text: string
  readonly videoId: number
  readonly uuid: string
  readonly name: string
}

interface OwnerRow {
  readonly id: number
  readonly name: string
  readonly displayName: string
  /** Name of the channel, where one was reported. */
  readonly channel: string | null
}

/**
 * Finds things that may be reported by their addresses, and holds them for the caller's transaction: a video, a comment below a
 * video of ours or by somebody of ours, an account or a channel. What others may not know of is nothing to them.
 */
export const reportedThings = (sql: SqlClient) => {
  const video = Effect.fnUntraced(function* (url: string) {
    const [row] = yield* sql<VideoRow>`
      select v.id, v.account_id as "accountId", v.uuid, v.name, v.nsfw, v.channel_id as "channelId" from video v
      where v.url = ${url} and not v.remote and video_is_federated(v.id) for key share of v`
    if (row === undefined) return undefined
    const { accountId, ...target } = row
    return { kind: "video", accountId, videoId: row.id, commentId: null, target } satisfies ReportedThing
  })

  const comment = Effect.fnUntraced(function* (url: string) {
    const [row] = yield* sql<CommentRow>`
      select c.id, c.account_id as "accountId", coalesce(c.origin_comment_id, c.id) as "threadId", c.text,
        v.id as "videoId", v.uuid, v.name
      from video_comment c join video v on v.id = c.video_id
      where c.url = ${url} and c.deleted_at is null
        and (c.server_id is null or (not v.remote and video_is_federated(v.id))) for key share of c`
    if (row === undefined) return undefined
    const { accountId, ...target } = row
    return { kind: "comment", accountId, videoId: null, commentId: row.id, target } satisfies ReportedThing
  })

  const account = Effect.fnUntraced(function* (url: string) {
    const [row] = yield* sql<OwnerRow>`
      select o.id, u.preferred_username::text as name, o.display_name as "displayName",
        case when h.id is not null then a.preferred_username::text end as channel
      from actor a left join video_channel h on h.actor_id = a.id
        join account o on o.id = h.account_id or o.actor_id = a.id join actor u on u.id = o.actor_id
      where a.url = ${url} and a.server_id is null and a.type <> 'Application' for key share of o`
    if (row === undefined) return undefined
    const { channel, ...owner } = row
    const target = channel === null ? owner : { ...owner, channel }
    return { kind: "account", accountId: row.id, videoId: null, commentId: null, target } satisfies ReportedThing
  })

  return Effect.fnUntraced(function* (url: string) {
    const found: ReportedThing | undefined = (yield* video(url)) ?? (yield* comment(url)) ?? (yield* account(url))
    return found
  })
}
