import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../database/Database.ts"

/** A local channel as a place to upload to. */
export interface UploadChannel {
  readonly id: number
  readonly accountId: number
  readonly userId: number
}

/** Looks up the channel a video is uploaded to. Channels of other instances are not found. */
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
            select c.id, a.id as "accountId", a.user_id as "userId"
            from video_channel c join account a on a.id = c.account_id
            where c.id = ${channelId} and a.user_id is not null
          `
          return Option.fromNullishOr(rows[0])
        }, withDatabaseErrors)
      })
    })
  )
}
