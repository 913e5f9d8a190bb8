import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage, SyncSortColumn } from "@kinora/domain/requests/ActorListQueries"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoChannelSync } from "@kinora/domain/wire/VideoChannelAnswers"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { syncColumns, type SyncRow, syncTexts } from "./SyncJson.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"

/** One that has never run counts as the oldest. */
const columns: Readonly<Record<SyncSortColumn, string>> = {
  externalChannelUrl: "s.external_channel_url",
  videoChannel: "a.preferred_username",
  createdAt: "s.created_at",
  lastSyncAt: "coalesce(s.last_sync_at, '-infinity')",
  state: "s.state"
}

type MaybeSync = { readonly total: number } & (SyncRow | { readonly id: null })

const isSync = (row: MaybeSync): row is MaybeSync & SyncRow => row.id !== null

/** Synchronisations of an account's channels, as JSON text (contract: VideoChannelSyncList). */
export class ChannelSyncLists extends Context.Service<
  ChannelSyncLists,
  {
    /** `collaborations`: also of channels the account collaborates on. */
    readonly ofAccount: (
      which: { readonly accountId: number; readonly collaborations: boolean },
      page: ListPage<SyncSortColumn>
    ) => Effect.Effect<JsonPage<VideoChannelSync>, DatabaseUnavailable>
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
          const rows = yield* sql<MaybeSync>`
            select t.total, p.* from (select count(*) as total ${from}) t left join (
              select ${syncColumns(sql)}, row_number() over (order by ${order}) as position ${from}
              order by ${order} ${limit(sql, page)}
            ) p on true order by p.position`
          return textPage(rows[0]?.total ?? 0, yield* syncTexts(sql, rows.filter(isSync)))
        }, withDatabaseErrors)
      })
    })
  )
}
