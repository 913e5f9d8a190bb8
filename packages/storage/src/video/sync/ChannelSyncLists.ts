import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage, SyncSortColumn } from "@kinora/domain/requests/ActorListQueries"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { syncItem } from "./SyncWire.ts"
import { direction, jsonPage, limit } from "../../platform/database/JsonPage.ts"

/** One that has never run is the oldest. */
const columns: Readonly<Record<SyncSortColumn, string>> = {
  externalChannelUrl: "s.external_channel_url",
  videoChannel: "a.preferred_username",
  createdAt: "s.created_at",
  lastSyncAt: "coalesce(s.last_sync_at, '-infinity')",
  state: "s.state"
}

/** Which channels elsewhere those of an account follow, as JSON text (contract: VideoChannelSyncList). */
export class ChannelSyncLists extends Context.Service<
  ChannelSyncLists,
  {
    /** `collaborations`: also of channels the account works on for others. */
    readonly ofAccount: (
      which: { readonly accountId: number; readonly collaborations: boolean },
      page: ListPage<SyncSortColumn>
    ) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/channels/ChannelSyncLists") {
  static readonly layer = Layer.effect(
    ChannelSyncLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ChannelSyncLists.of({
        ofAccount: Effect.fn("ChannelSyncLists.ofAccount")(function* ({ accountId, collaborations }, page) {
          const way = direction(sql, page.sort.descending)
          const order = sql`${sql.literal(columns[page.sort.by])} ${way}, s.id ${way}`
          const from = sql`
            from video_channel_sync s join video_channel c on c.id = s.channel_id join actor a on a.id = c.actor_id
            where c.account_id = ${accountId} or (${collaborations}::boolean and c.id in (
              select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2))`
          const items = sql`
            select ${syncItem(sql)} as item, p.position
            from (
              select s.*, c.actor_id, row_number() over (order by ${order}) as position ${from}
              order by ${order} ${limit(sql, page)}
            ) p`
          return yield* jsonPage(sql, sql`select count(*) ${from}`, items)
        }, withDatabaseErrors)
      })
    })
  )
}
