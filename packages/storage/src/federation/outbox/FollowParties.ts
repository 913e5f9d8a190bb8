import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** An actor that follows or is followed. */
export interface FollowParty {
  readonly id: number
  readonly url: string
  readonly inboxUrl: string
  readonly isRemote: boolean
}

/** Who takes part in a follow. */
export class FollowParties extends Context.Service<
  FollowParties,
  {
    /** Undefined: one of them is gone. */
    readonly of: (
      followerId: number,
      targetId: number
    ) => Effect.Effect<
      { readonly follower: FollowParty; readonly target: FollowParty } | undefined,
      DatabaseUnavailable
    >
  }
>()("@kinora/storage/outbox/FollowParties") {
  static readonly layer = Layer.effect(
    FollowParties,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return FollowParties.of({
        of: Effect.fnUntraced(function* (followerId: number, targetId: number) {
          const rows = yield* sql<FollowParty>`
            select id, url, inbox_url as "inboxUrl", server_id is not null as "isRemote" from actor
            where id in (${followerId}, ${targetId})`
          const follower = rows.find(({ id }) => id === followerId)
          const target = rows.find(({ id }) => id === targetId)
          return follower === undefined || target === undefined ? undefined : { follower, target }
        }, withDatabaseErrors)
      })
    })
  )
}
