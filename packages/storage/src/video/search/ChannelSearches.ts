import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ChannelSearch, SearchSortColumn } from "@kinora/domain/requests/ChannelSearchQuery"
import { emptyPage, type JsonPage } from "@kinora/domain/wire/Json"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isListedActor } from "../../people/account/FollowedActors.ts"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { actorPage } from "../../people/actor/ActorPages.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { type SearchTerms, searchTerms } from "./SearchTerms.ts"
import { blockersOf, notBlocked } from "../../people/account/OwnerBlocks.ts"

/** Searches for channels, returned as JSON text (contract: VideoChannelList). */
export class ChannelSearches extends Context.Service<
  ChannelSearches,
  {
    /**
     * One page, without channels that the instance or the viewer blocks.
     *
     * @param viewerAccountId whose blocks apply in addition to the instance's
     */
    readonly list: (
      search: ChannelSearch,
      viewerAccountId?: number
    ) => Effect.Effect<JsonPage<VideoChannel>, DatabaseUnavailable>
  }
>()("@kinora/storage/search/ChannelSearches") {
  static readonly layer = Layer.effect(
    ChannelSearches,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Channels with every word in their name come first, then those with many followers. */
      const order = (search: ChannelSearch, terms: SearchTerms | undefined): Fragment => {
        const way = direction(sql, search.sort.descending)
        const columns: Readonly<Record<Exclude<SearchSortColumn, "match">, string>> = {
          displayName: "c.display_name",
          createdAt: "coalesce(a.remote_created_at, a.created_at)"
        }
        if (search.sort.by !== "match") return sql`${sql.literal(columns[search.sort.by])} ${way}, c.id ${way}`
        return terms === undefined
          ? sql`a.followers_count desc, c.id`
          : sql`d.document @@ ${terms.titled}::tsquery desc,
              ts_rank(d.document, ${terms.match}::tsquery) + log(1 + a.followers_count) / 10 desc, c.id`
      }

      const condition = (search: ChannelSearch, viewer: number | undefined) => {
        const host = search.host === undefined ? undefined : safeText(search.host)
        return sql.and([
          notBlocked(sql, "c.account_id", "a.server_id", blockersOf(sql, viewer)),
          ...(host === undefined
            ? []
            : [
                sql`case when ${host}::citext = wire_host(wire_origin())::citext then a.server_id is null
                  else a.server_id = (select id from server where host = ${host}::citext) end`
              ]),
          ...(search.unfollowed === true ? [] : [isListedActor(sql)]),
          // Actors that opted out of suggestions are only found by exact handle or URL.
          ...((search.urls ?? search.only ?? search.handles) === undefined ? [sql`a.discoverable`] : []),
          ...(search.urls === undefined ? [] : [sql`a.url = any(${search.urls.map(safeText)}::text[])`]),
          ...(search.only === undefined ? [] : [isActorNamed(sql, search.only)]),
          ...(search.handles === undefined ? [] : [sql.or(search.handles.map((handle) => isActorNamed(sql, handle)))])
        ])
      }

      /** Matches are looked up one by one: a join would read all channels and actors. */
      const tablesOf = (terms: SearchTerms | undefined): Fragment =>
        terms === undefined
          ? sql`channel_document d join video_channel c on c.id = d.id join actor a on a.id = c.actor_id`
          : sql`(select f.* from channel_document f where f.document @@ ${terms.match}::tsquery offset 0) d
              cross join lateral (select x.* from video_channel x where x.id = d.id offset 0) c
              cross join lateral (select y.* from actor y where y.id = c.actor_id offset 0) a`

      const list = Effect.fn("ChannelSearches.list")(function* (search: ChannelSearch, viewer?: number) {
        const terms = search.text === undefined ? undefined : yield* searchTerms(sql, "channel_document", search.text)
        if (search.text !== undefined && terms === undefined) return emptyPage
        const where = condition(search, viewer)
        const tables = tablesOf(terms)
        const total = sql`select count(*) from ${tables} where ${where}`
        const ordered = order(search, terms)
        const items = sql`
          select a.id as actor_id, row_number() over (order by ${ordered}) as position
          from ${tables} where ${where} order by ${ordered} ${limit(sql, search)}`
        return yield* actorPage<VideoChannel>(sql, total, items)
      }, withDatabaseErrors)

      return ChannelSearches.of({ list })
    })
  )
}
