import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** Everything about a channel that people change, as the audit log keeps it. */
export interface ChannelValues {
  readonly [name: string]: unknown
}

/** Reads what changes of channels are compared by. */
export class ChannelValueReads extends Context.Service<
  ChannelValueReads,
  {
    /** Undefined if there is no such channel. */
    readonly of: (channelId: number) => Effect.Effect<ChannelValues | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/people/channel/ChannelValueReads") {
  static readonly layer = Layer.effect(
    ChannelValueReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const of = Effect.fn("ChannelValueReads.of")(function* (channelId: number) {
        const [row] = yield* sql<ChannelValues>`
          select c.display_name as "displayName", c.description, c.support, c.public_email as "publicEmail",
            c.account_id as "accountId", c.player_theme as "playerTheme", a.discoverable, a.indexable,
            array(select i.type || ' ' || i.filename from actor_image i where i.actor_id = c.actor_id order by 1)
              as pictures,
            array(
              select k.account_id from video_channel_collaborator k where k.channel_id = c.id order by 1
            ) as collaborators
          from video_channel c join actor a on a.id = c.actor_id where c.id = ${channelId}`
        return row
      }, withDatabaseErrors)
      return ChannelValueReads.of({ of })
    })
  )
}
