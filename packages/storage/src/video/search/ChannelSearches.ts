import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ChannelSearch, SearchSortColumn } from "@kinora/domain/requests/ChannelSearchQuery"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { direction, jsonPage, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { type SearchTerms, searchTerms } from "./SearchTerms.ts"

const nothing = `{"total":0,"data":[]}`

/** Searches for channels, answered as JSON text (contract: VideoChannelList). */
export class ChannelSearches extends Context.Service<
  ChannelSearches,
  {
    /**
     * One page, without channels of whom the accounts in whose name is blocked block.
     *
     * @param viewerAccountId whose blocks count beside the instance's
     */
    readonly list: (search: ChannelSearch, viewerAccountId?: number) => Effect.Effect<string, DatabaseUnavailable>
  }
>()("@kinora/storage/search/ChannelSearches") {
  static readonly layer = Layer.effect(
    ChannelSearches,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Those with every word in their names come first, then those many follow. */
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
        const blockers = sql`array(
          select i.id from account i join actor ia on ia.id = i.actor_id
            where ia.server_id is null and ia.type = 'Application'
          union all select ${viewer ?? null}::int)`
        const host = search.host === undefined ? undefined : safeText(search.host)
        return sql.and([
          sql`c.account_id not in (
            select b.target_account_id from account_block b where b.account_id = any(${blockers}))`,
          sql`(a.server_id is null or a.server_id not in (
            select b.server_id from server_block b where b.account_id = any(${blockers})))`,
          ...(host === undefined
            ? []
            : [
                sql`case when ${host}::citext = wire_host(wire_origin())::citext then a.server_id is null
                  else a.server_id = (select id from server where host = ${host}::citext) end`
              ]),
          // Who does not want to be suggested is found by who knows where to look.
          ...((search.urls ?? search.only ?? search.handles) === undefined ? [sql`a.discoverable`] : []),
          ...(search.urls === undefined ? [] : [sql`a.url = any(${search.urls.map(safeText)}::text[])`]),
          ...(search.only === undefined ? [] : [isActorNamed(sql, search.only)]),
          ...(search.handles === undefined ? [] : [sql.or(search.handles.map((handle) => isActorNamed(sql, handle)))])
        ])
      }

      /** What has the words is looked up one by one: joined, all channels and actors would be read for it. */
      const tablesOf = (terms: SearchTerms | undefined): Fragment =>
        terms === undefined
          ? sql`channel_document d join video_channel c on c.id = d.id join actor a on a.id = c.actor_id`
          : sql`(select f.* from channel_document f where f.document @@ ${terms.match}::tsquery offset 0) d
              cross join lateral (select x.* from video_channel x where x.id = d.id offset 0) c
              cross join lateral (select y.* from actor y where y.id = c.actor_id offset 0) a`

      const list = Effect.fn("ChannelSearches.list")(function* (search: ChannelSearch, viewer?: number) {
        const terms = search.text === undefined ? undefined : yield* searchTerms(sql, "channel_document", search.text)
        if (search.text !== undefined && terms === undefined) return nothing
        const where = condition(search, viewer)
        const tables = tablesOf(terms)
        const total = sql`select count(*) from ${tables} where ${where}`
        const ordered = order(search, terms)
        const items = sql`
          select coalesce(w.wire, wire_channel(x.id)) as item, x.position from (
            select c.id, a.id as actor_id, row_number() over (order by ${ordered}) as position
            from ${tables} where ${where} order by ${ordered} ${limit(sql, search)}
          ) x left join actor_wire w on w.actor_id = x.actor_id`
        return yield* jsonPage(sql, total, items)
      }, withDatabaseErrors)

      return ChannelSearches.of({ list })
    })
  )
}
