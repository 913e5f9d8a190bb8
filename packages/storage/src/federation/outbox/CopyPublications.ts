import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** A copy of a video elsewhere that this instance serves. */
export interface PublishedCopy {
  readonly url: string
  readonly videoUrl: string
  readonly baseUrl: string
  readonly expires: string | null
  /** Who serves it. */
  readonly actorId: number
  /** (Shared) inbox of the channel of the video. */
  readonly inbox: string | null
}

/** Copies as others are to have them. */
export class CopyPublications extends Context.Service<
  CopyPublications,
  {
    /** Undefined: it is none of ours, or gone. */
    readonly of: (copyId: number) => Effect.Effect<PublishedCopy | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/outbox/CopyPublications") {
  static readonly layer = Layer.effect(
    CopyPublications,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return CopyPublications.of({
        of: Effect.fnUntraced(function* (copyId: number) {
          const [row] = yield* sql<PublishedCopy>`
            select r.url, v.url as "videoUrl", r.base_url as "baseUrl", wire_time(r.expires_at) as expires,
              r.actor_id as "actorId", inbox_of(c.actor_id) as inbox
            from video_redundancy r join video v on v.id = r.video_id join video_channel c on c.id = v.channel_id
            where r.id = ${copyId} and r.strategy is not null`
          return row
        }, withDatabaseErrors)
      })
    })
  )
}
