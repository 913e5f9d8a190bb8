import type { ChannelSortColumn, ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { channelFigures } from "./ChannelFigures.ts"
import { direction, jsonPage, limit } from "../../platform/database/JsonPage.ts"

export type ChannelPage = ListPage<ChannelSortColumn>

/** Which channels of an account, and what is told of each. */
export interface AccountChannels {
  readonly accountId: number
  /** Also those the account works on for others. */
  readonly collaborations: boolean
  /** Days of the figures, 0 for all; undefined leaves figures out. */
  readonly figures: 0 | 30 | 90 | 365 | undefined
}

const columns: Readonly<Record<ChannelSortColumn, string>> = {
  id: "c.id",
  name: "a.preferred_username",
  // A channel is as new as its latest upload.
  updatedAt:
    "greatest(c.updated_at, a.updated_at, (select max(v.published_at) from video v where v.channel_id = c.id and v.listed))",
  createdAt: "coalesce(a.remote_created_at, a.created_at)"
}

/** Lists of channels as JSON text (contract: VideoChannelList), answered as they are. */
export class ChannelLists extends Context.Service<
  ChannelLists,
  {
    /** Every channel this instance knows. */
    readonly all: (page: ChannelPage) => Effect.Effect<string, DatabaseUnavailable>
    /** Those of an account, with figures in the same statement when they are asked for. */
    readonly ofAccount: (which: AccountChannels, page: ChannelPage) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/channels/ChannelLists") {
  static readonly layer = Layer.effect(
    ChannelLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const order = ({ sort }: ChannelPage) => {
        const way = direction(sql, sort.descending)
        return sql`${sql.literal(columns[sort.by])} ${way}, a.id ${way}`
      }

      const all = Effect.fn("ChannelLists.all")(function* (page: ChannelPage) {
        const total = sql`select count(*) from actor a where a.type = 'Group' and a.discoverable`
        const items = sql`
          select coalesce(w.wire, wire_channel(x.id)) as item, x.position from (
            select c.id, a.id as actor_id, row_number() over (order by ${order(page)}) as position
            from actor a join video_channel c on c.actor_id = a.id where a.type = 'Group' and a.discoverable
            order by ${order(page)} ${limit(sql, page)}
          ) x left join actor_wire w on w.actor_id = x.actor_id`
        return yield* jsonPage(sql, total, items)
      }, withDatabaseErrors)

      const ofAccount = Effect.fn("ChannelLists.ofAccount")(function* (which: AccountChannels, page: ChannelPage) {
        const { accountId, collaborations, figures } = which
        const own = collaborations
          ? sql`c.id in (select o.id from video_channel o where o.account_id = ${accountId} union all
              select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2)`
          : sql`c.account_id = ${accountId}`
        const where =
          page.search === undefined
            ? own
            : sql`${own} and search_text(a.preferred_username || ' ' || c.display_name)
                like search_pattern(${safeText(page.search)}::text)`
        const total = sql`select count(*) from video_channel c join actor a on a.id = c.actor_id where ${where}`
        const ready = sql`coalesce((select w.wire from actor_wire w where w.actor_id = p.actor_id), wire_channel(p.id))`
        const found = sql`
          select c.id, a.id as actor_id, coalesce(a.remote_created_at, a.created_at) as made,
            row_number() over (order by ${order(page)}) as position
          from video_channel c join actor a on a.id = c.actor_id where ${where}
          order by ${order(page)} ${limit(sql, page)}`
        const items =
          figures === undefined
            ? sql`select ${ready} as item, p.position from (${found}) p`
            : sql`with found as materialized (${found}), ${channelFigures(sql, figures)}
                select left(${ready}, -1) || f.text || '}' as item, p.position
                from found p join figures f on f.id = p.id`
        return yield* jsonPage(sql, total, items)
      }, withDatabaseErrors)

      return ChannelLists.of({ all, ofAccount })
    })
  )
}
