import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** A local channel as the target of an upload. */
export interface UploadChannel {
  readonly id: number
  readonly accountId: number
  /** Its owner, whose quota uploads use. */
  readonly userId: number
  /** The owner's quotas in bytes, -1 for no limit. */
  readonly videoQuota: number
  readonly videoQuotaDaily: number
  /** Accounts that accepted to collaborate on it. */
  readonly collaborators: ReadonlyArray<number>
}

/** Looks up the target channel of an upload. Remote channels are not found. */
export class UploadChannels extends Context.Service<
  UploadChannels,
  { readonly find: (channelId: number) => Effect.Effect<Option.Option<UploadChannel>, DatabaseUnavailable> }
>()("@kinora/storage/uploads/UploadChannels") {
  static readonly layer = Layer.effect(
    UploadChannels,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return UploadChannels.of({
        find: Effect.fn("UploadChannels.find")(function* (channelId: number) {
          const rows = yield* sql<UploadChannel>`
            select c.id, a.id as "accountId", u.id as "userId",
              u.video_quota as "videoQuota", u.video_quota_daily as "videoQuotaDaily",
              array(
                select k.account_id from video_channel_collaborator k where k.channel_id = c.id and k.state = 2
              ) as collaborators
            from video_channel c join account a on a.id = c.account_id join app_user u on u.id = a.user_id
            where c.id = ${channelId}
          `
          return Option.fromNullishOr(rows[0])
        }, withDatabaseErrors)
      })
    })
  )
}
