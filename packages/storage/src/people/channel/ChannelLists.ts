import type { ChannelSortColumn, ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { isListedActor } from "../account/FollowedActors.ts"
import { channelFigures, figureMembers, type Figures } from "./ChannelFigures.ts"
import { actorPage } from "../actor/ActorPages.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"

export type ChannelPage = ListPage<ChannelSortColumn>

/** Selects channels of an account, and the data for each. */
export interface AccountChannels {
  readonly accountId: number
  /** Also channels of others that the account collaborates on. */
  readonly collaborations: boolean
  /** Days of the statistics, 0 for all. Undefined leaves statistics out. */
  readonly figures: 0 | 30 | 90 | 365 | undefined
  /** Also channels that this instance does not follow: for those who may look them up. */
  readonly unfollowed: boolean
}

const columns: Readonly<Record<ChannelSortColumn, string>> = {
  id: "c.id",
  name: "a.preferred_username",
  // A channel counts as updated at its latest upload.
  updatedAt:
    "greatest(c.updated_at, a.updated_at, (select max(v.published_at) from video v where v.channel_id = c.id and v.listed))",
  createdAt: "coalesce(a.remote_created_at, a.created_at)"
}

/** Lists of channels as JSON text (contract: VideoChannelList), sent unchanged. */
export class ChannelLists extends Context.Service<
  ChannelLists,
  {
    /** Channels of this instance and of what it follows. */
    readonly all: (page: ChannelPage) => Effect.Effect<JsonPage<VideoChannel>, DatabaseUnavailable>
    /** Channels of an account, with statistics in the same statement if requested. */
    readonly ofAccount: (
      which: AccountChannels,
      page: ChannelPage
    ) => Effect.Effect<JsonPage<VideoChannel>, DatabaseUnavailable>
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
        const where = sql`a.type = 'Group' and a.discoverable and ${isListedActor(sql)}`
        const total = sql`select count(*) from actor a where ${where}`
        const items = sql`
          select a.id as actor_id, row_number() over (order by ${order(page)}) as position
          from actor a join video_channel c on c.actor_id = a.id where ${where}
          order by ${order(page)} ${limit(sql, page)}`
        return yield* actorPage<VideoChannel>(sql, total, items)
      }, withDatabaseErrors)

      const ofAccount = Effect.fn("ChannelLists.ofAccount")(function* (which: AccountChannels, page: ChannelPage) {
        const { accountId, collaborations, figures } = which
        const own = collaborations
          ? sql`c.id in (select o.id from video_channel o where o.account_id = ${accountId} union all
              select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2)`
          : sql`c.account_id = ${accountId}`
        const shown = which.unfollowed ? own : sql`${own} and ${isListedActor(sql)}`
        const where =
          page.search === undefined
            ? shown
            : sql`${shown} and search_text(a.preferred_username || ' ' || c.display_name)
                like search_pattern(${safeText(page.search)}::text)`
        const total = sql`select count(*) from video_channel c join actor a on a.id = c.actor_id where ${where}`
        const found = sql`
          select c.id, a.id as actor_id, coalesce(a.remote_created_at, a.created_at) as made,
            row_number() over (order by ${order(page)}) as position
          from video_channel c join actor a on a.id = c.actor_id where ${where}
          order by ${order(page)} ${limit(sql, page)}`
        if (figures === undefined) return yield* actorPage<VideoChannel>(sql, total, found)
        const items = sql`
          with found as materialized (${found}), ${channelFigures(sql, figures)}
          select p.actor_id, p.position, f.* from found p join figures f on f.id = p.id`
        return yield* actorPage<VideoChannel, Figures>(sql, total, items, figureMembers)
      }, withDatabaseErrors)

      return ChannelLists.of({ all, ofAccount })
    })
  )
}
