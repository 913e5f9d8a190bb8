import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type ReportedThing, reportedThing, type ThingNamed } from "./ReportedThings.ts"

/** A thing of ours that a Flag names. */
export interface FlaggedThing extends ThingNamed {
  readonly thing: ReportedThing
}

interface OwnerRow {
  /** Row of the account it belongs to. */
  readonly id: number
  /** Name of the channel, where one was reported. */
  readonly channel: string | null
}

/**
 * Finds things that may be reported by their addresses, and holds them for the caller's transaction: a video, a comment below a
 * video of ours or by somebody of ours, an account or a channel. What others may not know of is nothing to them.
 */
export const flaggedThings = (sql: SqlClient) => {
  const video = (url: string) => sql<{ id: number }>`
    select v.id from video v where v.url = ${url} and not v.remote and video_is_federated(v.id)`

  const comment = (url: string) => sql<{ id: number }>`
    select c.id from video_comment c join video v on v.id = c.video_id
    where c.url = ${url} and c.deleted_at is null
      and (c.server_id is null or (not v.remote and video_is_federated(v.id)))`

  const owner = (url: string) => sql<OwnerRow>`
    select o.id, case when h.id is not null then a.preferred_username::text end as channel
    from actor a left join video_channel h on h.actor_id = a.id
      join account o on o.id = h.account_id or o.actor_id = a.id
    where a.url = ${url} and a.server_id is null and a.type <> 'Application'`

  const held = Effect.fnUntraced(function* (named: ThingNamed, channel: string | null = null) {
    const thing = yield* reportedThing(sql, named)
    if (thing === undefined) return undefined
    const flagged: FlaggedThing = {
      ...named,
      thing: channel === null ? thing : { ...thing, target: { ...thing.target, channel } }
    }
    return flagged
  })

  return Effect.fnUntraced(function* (url: string) {
    const [ofVideo] = yield* video(url)
    if (ofVideo !== undefined) return yield* held({ kind: "video", id: ofVideo.id })
    const [ofComment] = yield* comment(url)
    if (ofComment !== undefined) return yield* held({ kind: "comment", id: ofComment.id })
    const [ofOwner] = yield* owner(url)
    return ofOwner === undefined ? undefined : yield* held({ kind: "account", id: ofOwner.id }, ofOwner.channel)
  })
}
