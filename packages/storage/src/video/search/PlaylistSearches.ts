import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistSearch, SearchSortColumn } from "@kinora/domain/requests/ChannelSearchQuery"
import { emptyPage, type JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { isListedOwner } from "../../people/account/FollowedActors.ts"
import { blockersOf, ownerNotBlocked } from "../../people/account/OwnerBlocks.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { playlistPage } from "../playlist/PlaylistTexts.ts"
import { type SearchTerms, searchTerms } from "./SearchTerms.ts"

/** Searches for public playlists, returned as JSON text (contract: VideoPlaylistList). */
export class PlaylistSearches extends Context.Service<
  PlaylistSearches,
  {
    /**
     * One page, without playlists of owners that the instance or the viewer blocks.
     *
     * @param viewerAccountId whose blocks apply in addition to the instance's
     */
    readonly list: (
      search: PlaylistSearch,
      viewerAccountId?: number
    ) => Effect.Effect<JsonPage<VideoPlaylist>, DatabaseUnavailable>
  }
>()("@kinora/storage/search/PlaylistSearches") {
  static readonly layer = Layer.effect(
    PlaylistSearches,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /** Playlists with every word in their name come first. */
      const order = ({ sort }: PlaylistSearch, terms: SearchTerms | undefined): Fragment => {
        const way = direction(sql, sort.descending)
        const columns: Readonly<Record<Exclude<SearchSortColumn, "match">, string>> = {
          displayName: "p.name",
          createdAt: "p.created_at"
        }
        if (sort.by !== "match") return sql`${sql.literal(columns[sort.by])} ${way}, p.id ${way}`
        return terms === undefined
          ? sql`p.videos_length desc, p.id`
          : sql`d.document @@ ${terms.titled}::tsquery desc,
              ts_rank(d.document, ${terms.match}::tsquery) + log(1 + p.videos_length) / 10 desc, p.id`
      }

      const condition = ({ addressed, host, unfollowed, urls, uuids }: PlaylistSearch, viewer: number | undefined) =>
        sql.and([
          ...(unfollowed === true ? [] : [isListedOwner(sql)]),
          addressed === true ? sql`p.privacy in (1, 2)` : sql`p.privacy = 1`,
          ownerNotBlocked(sql, blockersOf(sql, viewer)),
          ...(host === undefined
            ? []
            : [
                sql`(select case when ${safeText(host)}::citext = wire_host(wire_origin())::citext then h.server_id is null
                  else h.server_id = (select id from server where host = ${safeText(host)}::citext) end
                  from account o join actor h on h.id = o.actor_id where o.id = p.owner_account_id)`
              ]),
          ...(urls === undefined ? [] : [sql`p.url = any(${urls.map(safeText)}::text[])`]),
          ...(uuids === undefined ? [] : [sql`p.uuid = any(${uuids}::uuid[])`])
        ])

      /** Matches are looked up one by one: a join would read all playlists. */
      const tablesOf = (terms: SearchTerms | undefined): Fragment =>
        terms === undefined
          ? sql`video_playlist p`
          : sql`(select f.* from playlist_document f where f.document @@ ${terms.match}::tsquery offset 0) d
              cross join lateral (select x.* from video_playlist x where x.id = d.id offset 0) p`

      const list = Effect.fn("PlaylistSearches.list")(function* (search: PlaylistSearch, viewer?: number) {
        const terms = search.text === undefined ? undefined : yield* searchTerms(sql, "playlist_document", search.text)
        if (search.text !== undefined && terms === undefined) return emptyPage
        const where = condition(search, viewer)
        const tables = tablesOf(terms)
        const total = sql`select count(*) from ${tables} where ${where}`
        const ordered = order(search, terms)
        const items = sql`
          select p.id, row_number() over (order by ${ordered}) as position
          from ${tables} where ${where} order by ${ordered} ${limit(sql, search)}`
        return yield* playlistPage(sql, total, items)
      }, withDatabaseErrors)

      return PlaylistSearches.of({ list })
    })
  )
}
