import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { SlowSql } from "../../platform/database/SlowSql.ts"
import { notBlocked } from "../../video/read/VideoListStatement.ts"
import { Parameters } from "../../video/read/VideoQuery.ts"
import { noneBlocked } from "../../people/account/OwnerBlocks.ts"

/** Which comments, newest first. */
export interface FeedCommentsQuery {
  readonly count: number
  /** Comments on this video, which the reader may see; undefined: on those that anybody may list. */
  readonly videoId?: number | undefined
  /** Comments of this account. */
  readonly accountId?: number | undefined
  /** Comments on videos of this channel. */
  readonly channelId?: number | undefined
  readonly isLocal?: boolean | undefined
  readonly onLocalVideo?: boolean | undefined
  /** Leaves out videos that are not safe for work. */
  readonly safe: boolean
  /** Account of who reads: its blocks count besides the instance's. */
  readonly viewerAccountId?: number | undefined
}

export interface FeedCommentRow {
  readonly id: number
  /** Address of the comment, its id for the rest of the world. */
  readonly url: string
  /** Markdown. */
  readonly text: string
  /** First comment of the thread. */
  readonly threadId: number
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly videoUuid: string
  readonly videoName: string
  readonly accountName: string
  /** `name`, or `name@host` for one of another instance. */
  readonly accountHandle: string
}

const statementOf = (query: FeedCommentsQuery) => {
  const parameters = new Parameters()
  const viewer = parameters.add(query.viewerAccountId ?? null)
  // The instance blocks in the name of the account it was set up with.
  const blockers = `array_remove(array[${viewer}::int, (
    select i.id from account i join actor n on n.id = i.actor_id
    where n.server_id is null and n.type = 'Application' order by i.id limit 1
  )], null)`
  const conditions = [
    "m.deleted_at is null",
    "not m.held_for_review",
    "v.comments_policy <> 2",
    ...noneBlocked.lookups("m.account_id", "u.server_id", blockers),
    ...(query.videoId === undefined
      ? ["v.listed", ...notBlocked(blockers, "lookups"), ...(query.safe ? ["not v.nsfw"] : [])]
      : [`m.video_id = ${parameters.add(query.videoId)}::int`]),
    ...(query.accountId === undefined ? [] : [`m.account_id = ${parameters.add(query.accountId)}::int`]),
    // The videos first: on a channel of few words the newest comments of all would be walked through in vain.
    ...(query.channelId === undefined
      ? []
      : [`m.video_id = any(array(select id from video where channel_id = ${parameters.add(query.channelId)}::int))`]),
    ...(query.isLocal === undefined ? [] : [`(u.server_id is null) = ${query.isLocal}`]),
    ...(query.onLocalVideo === undefined ? [] : [`v.remote = ${!query.onLocalVideo}`])
  ]
  const text = `
    select m.id, m.url, m.text, coalesce(m.origin_comment_id, m.id) as "threadId", wire_time(m.created_at) as "createdAt",
      v.uuid::text as "videoUuid", v.name as "videoName", a.display_name as "accountName",
      u.preferred_username || coalesce('@' || s.host, '') as "accountHandle"
    from video_comment m join video v on v.id = m.video_id join account a on a.id = m.account_id
      join actor u on u.id = a.actor_id left join server s on s.id = u.server_id
    where ${conditions.join(" and ")}
    order by m.created_at desc, m.id desc limit ${Math.trunc(query.count)}`
  return { text, values: parameters.values }
}

/**
 * Comments that feeds show: not those that were deleted, wait for a review, or are by somebody who is blocked, and none of
 * videos that take no comments any more.
 */
export class FeedComments extends Context.Service<
  FeedComments,
  {
    readonly newest: (query: FeedCommentsQuery) => Effect.Effect<ReadonlyArray<FeedCommentRow>, DatabaseUnavailable>
  }
>()("@kinora/storage/feeds/FeedComments") {
  static readonly layer = Layer.effect(
    FeedComments,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const slow = yield* SlowSql
      return FeedComments.of({
        newest: Effect.fn("FeedComments.newest")(function* (query: FeedCommentsQuery) {
          const { text, values } = statementOf(query)
          const over = query.videoId === undefined ? slow : sql
          return yield* over.unsafe<FeedCommentRow>(text, values)
        }, withDatabaseErrors)
      })
    })
  )
}
