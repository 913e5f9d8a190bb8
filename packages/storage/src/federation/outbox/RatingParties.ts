import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** One of ours who rates, and the video elsewhere. */
export interface RatingParty {
  readonly actorId: number
  readonly actorUrl: string
  readonly videoUrl: string
  /** The account the video belongs to. */
  readonly ownerUrl: string
  /** (Shared) inbox of the channel of the video. */
  readonly inbox: string
}

/** Who takes part in a rating. */
export class RatingParties extends Context.Service<
  RatingParties,
  {
    /** Undefined: the account is none of ours, the video is none of others', or one of them is gone. */
    readonly of: (accountId: number, videoId: number) => Effect.Effect<RatingParty | undefined, DatabaseUnavailable>
    /** Address of an account of ours; undefined: it is none, or gone. */
    readonly actorUrl: (accountId: number) => Effect.Effect<string | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/RatingParties") {
  static readonly layer = Layer.effect(
    RatingParties,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return RatingParties.of({
        of: Effect.fnUntraced(function* (accountId: number, videoId: number) {
          const [row] = yield* sql<RatingParty>`
            select a.id as "actorId", a.url as "actorUrl", v.url as "videoUrl", owner.url as "ownerUrl",
              coalesce(home.shared_inbox_url, home.inbox_url) as inbox
            from video v join video_channel c on c.id = v.channel_id join actor home on home.id = c.actor_id
              join account w on w.id = v.account_id join actor owner on owner.id = w.actor_id,
              account o join actor a on a.id = o.actor_id
            where v.id = ${videoId} and v.remote and home.server_id is not null
              and o.id = ${accountId} and a.server_id is null`
          return row
        }, withDatabaseErrors),
        actorUrl: Effect.fnUntraced(function* (accountId: number) {
          const [row] = yield* sql<{ url: string }>`
            select a.url from account o join actor a on a.id = o.actor_id where o.id = ${accountId} and a.server_id is null`
          return row?.url
        }, withDatabaseErrors)
      })
    })
  )
}
