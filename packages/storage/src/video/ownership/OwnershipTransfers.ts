import { ChannelActivityAction } from "@kinora/domain/enums/ChannelActivity"
import { QuotaReached } from "@kinora/domain/errors/UploadErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { rulesChanged } from "../../people/tags/RuleChanges.ts"
import { lockQuotas, quotaUsage, videoBytes } from "../../people/user/QuotaUsage.ts"
import type { OwnershipRequest } from "./OwnershipRequests.ts"
import { recordOwnership } from "./OwnedItem.ts"

/** The recipient. */
export interface NextOwner {
  readonly userId: number
  readonly accountId: number
}

/**
 * Result of accepting a video: `decided` if the request is no longer pending, `channel` if the channel is not the
 * recipient's.
 */
export type VideoTaken = "taken" | "decided" | "channel"

/** The same for a channel: `last` if its owner would have none left, `full` if the recipient has reached the limit. */
export type ChannelTaken = "taken" | "decided" | "last" | "full"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard

  /**
   * Starts a transfer: one at a time, accounts first. All other code also locks accounts before channels before videos
   * before requests, so there are no deadlocks.
   */
  const begin = Effect.fnUntraced(function* (accounts: ReadonlyArray<number>) {
    yield* lockQuotas(sql)
    yield* sql`select 1 from account where ${sql.in("id", accounts)} order by id for no key update`
  })

  /** Whether the request is still pending. Nobody else can answer it until the transaction ends. */
  const waits = Effect.fnUntraced(function* (request: OwnershipRequest) {
    const rows = yield* sql`select 1 from ownership_change where id = ${request.id} and state = 1 for update`
    return rows.length > 0
  })

  const accepted = (request: OwnershipRequest) =>
    sql`update ownership_change set state = 3, updated_at = now() where id = ${request.id}`

  /** Comments below what was taken are tagged by the words of the new owner. */
  const commentsTaken = (next: NextOwner) => rulesChanged(sql, jobs, next.accountId)

  /** Refuses videos that do not fit into the recipient's quotas. */
  const fits = Effect.fnUntraced(function* (next: NextOwner, videos: Fragment) {
    const [quota] = yield* sql<{ total: number; daily: number }>`
      select video_quota as total, video_quota_daily as daily from app_user where id = ${next.userId}
    `
    const { total, daily } = quota!
    if (total === -1 && daily === -1) return
    const more = yield* videoBytes(sql, videos)
    const { reserved, reservedDaily, used, usedDaily } = yield* quotaUsage(sql, next.userId, null)
    if (total !== -1 && used + reserved + more.used > total) return yield* new QuotaReached({})
    if (daily !== -1 && more.usedDaily > 0 && usedDaily + reservedDaily + more.usedDaily > daily) {
      return yield* new QuotaReached({ daily: true })
    }
  })

  const takeVideo = Effect.fn("OwnershipTransfers.takeVideo")(
    function* (request: OwnershipRequest, next: NextOwner, channelId: number) {
      const item = { kind: "video", id: request.itemId } as const
      yield* begin([request.ownerAccountId, next.accountId])
      const channels = yield* sql<{ id: number; accountId: number }>`
        select id, account_id as "accountId" from video_channel
        where id = ${channelId} or id = (select channel_id from video where id = ${item.id}) order by id for share
      `
      if (!channels.some((channel) => channel.id === channelId && channel.accountId === next.accountId))
        return "channel"
      yield* sql`select 1 from video where id = ${item.id} for update`
      if (!(yield* waits(request))) return "decided"
      yield* fits(next, sql`v.id = ${item.id}`)
      const record = (action: ChannelActivityAction) =>
        recordOwnership(sql, item, next.accountId, action, next.accountId)
      yield* record(ChannelActivityAction.acceptOwnershipRequest)
      yield* record(ChannelActivityAction.removeChannelOwnership)
      yield* sql`
        update video set account_id = ${next.accountId}, channel_id = ${channelId}, updated_at = now()
        where id = ${item.id}
      `
      yield* record(ChannelActivityAction.createChannelOwnership)
      yield* commentsTaken(next)
      yield* accepted(request)
      return "taken"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const countChannels = Effect.fnUntraced(function* (accountId: number) {
    const rows = yield* sql<{ count: number }>`
      select count(*) as count from video_channel where account_id = ${accountId}
    `
    return rows[0]!.count
  })

  const takeChannel = Effect.fn("OwnershipTransfers.takeChannel")(
    function* (request: OwnershipRequest, next: NextOwner, atMost: number) {
      const item = { kind: "channel", id: request.itemId } as const
      yield* begin([request.ownerAccountId, next.accountId])
      yield* sql`select 1 from video_channel where id = ${item.id} for no key update`
      yield* sql`select 1 from video where channel_id = ${item.id} order by id for update`
      if (!(yield* waits(request))) return "decided"
      if ((yield* countChannels(request.ownerAccountId)) < 2) return "last"
      if ((yield* countChannels(next.accountId)) >= atMost) return "full"
      yield* fits(next, sql`v.channel_id = ${item.id}`)
      yield* sql`update video_channel set account_id = ${next.accountId}, updated_at = now() where id = ${item.id}`
      yield* sql`
        update video set account_id = ${next.accountId}, updated_at = now() where channel_id = ${item.id}
      `
      // Other pending requests for these things end, since the sender no longer owns them.
      yield* sql`
        delete from ownership_change
        where state = 1 and video_id in (select id from video where channel_id = ${item.id})
      `
      yield* sql`
        delete from video_channel_collaborator where channel_id = ${item.id} and account_id = ${next.accountId}
      `
      const action = ChannelActivityAction.acceptOwnershipRequest
      yield* recordOwnership(sql, item, next.accountId, action, next.accountId)
      yield* commentsTaken(next)
      yield* accepted(request)
      return "taken"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return OwnershipTransfers.of({ takeVideo, takeChannel })
})

/** Executes transfers, each in one transaction. Files stay where they are. */
export class OwnershipTransfers extends Context.Service<
  OwnershipTransfers,
  {
    /** The video moves to this channel of the recipient. */
    readonly takeVideo: (
      request: OwnershipRequest,
      next: NextOwner,
      channelId: number
    ) => Effect.Effect<VideoTaken, QuotaReached | DatabaseUnavailable>
    /** The channel moves with all its videos, and its collaborators stay. A user may have at most `atMost` channels. */
    readonly takeChannel: (
      request: OwnershipRequest,
      next: NextOwner,
      atMost: number
    ) => Effect.Effect<ChannelTaken, QuotaReached | DatabaseUnavailable>
  }
>()("@kinora/storage/ownership/OwnershipTransfers") {
  static readonly layer = Layer.effect(OwnershipTransfers, make)
}
