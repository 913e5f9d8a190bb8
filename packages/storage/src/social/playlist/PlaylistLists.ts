import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistPage, PlaylistSortColumn } from "@kinora/domain/requests/PlaylistQueries"
import type { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { blockersOf, ownerNotBlocked } from "../../people/account/OwnerBlocks.ts"
import { isListedOwner } from "../../people/account/FollowedActors.ts"
import { safeText } from "../../platform/database/LikeText.ts"
import { playlistPage } from "../../video/playlist/PlaylistTexts.ts"

/** Which playlists. What is not given filters nothing. */
export type PlaylistScope =
  | { readonly _tag: "All" }
  | {
      readonly _tag: "Account"
      readonly accountId: number
      /** Also those of channels the account works on for others. */
      readonly collaborations: boolean
      /** Names of local channels: none but theirs. */
      readonly channelNames?: ReadonlyArray<string> | undefined
    }
  | { readonly _tag: "Channel"; readonly channelId: number }

export interface PlaylistListing {
  readonly scope: PlaylistScope
  /** Unlisted and private ones too: of those who manage them. */
  readonly everything: boolean
  /** Those of owners that this instance does not follow, too: for those who may look them up. */
  readonly unfollowed?: boolean | undefined
  readonly type?: PlaylistType | undefined
  /** Whose blocks count beside the instance's. */
  readonly viewerAccountId?: number | undefined
}

const columns: Readonly<Record<PlaylistSortColumn, string>> = {
  name: "p.name",
  displayName: "p.name",
  createdAt: "p.created_at",
  updatedAt: "p.updated_at",
  videoChannelPosition: "p.channel_position"
}

/** Lists of playlists as JSON text (contract: VideoPlaylistList), answered as they are. */
export class PlaylistLists extends Context.Service<
  PlaylistLists,
  {
    readonly list: (
      listing: PlaylistListing,
      page: PlaylistPage
    ) => Effect.Effect<JsonPage<VideoPlaylist>, DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistLists") {
  static readonly layer = Layer.effect(
    PlaylistLists,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const scoped = (scope: PlaylistScope): ReadonlyArray<Fragment> => {
        switch (scope._tag) {
          case "All":
            return []
          case "Channel":
            return [sql`p.channel_id = ${scope.channelId}`]
          case "Account": {
            const { accountId, channelNames, collaborations } = scope
            const own = collaborations
              ? sql`(p.owner_account_id = ${accountId} or p.channel_id in (
                  select k.channel_id from video_channel_collaborator k where k.account_id = ${accountId} and k.state = 2))`
              : sql`p.owner_account_id = ${accountId}`
            if (channelNames === undefined) return [own]
            return [
              own,
              sql`p.channel_id in (select c.id from video_channel c join actor a on a.id = c.actor_id
                where a.server_id is null and a.preferred_username = any(${channelNames.map(safeText)}::citext[]))`
            ]
          }
        }
      }

      const list = Effect.fn("PlaylistLists.list")(function* (listing: PlaylistListing, page: PlaylistPage) {
        const { everything, scope, type, unfollowed, viewerAccountId } = listing
        const where = sql.and([
          ...scoped(scope),
          ...(everything ? [] : [sql`p.privacy = 1`, ownerNotBlocked(sql, blockersOf(sql, viewerAccountId))]),
          ...(everything || unfollowed === true ? [] : [isListedOwner(sql)]),
          ...(type === undefined ? [] : [sql`p.type = ${type}::smallint`]),
          ...(page.search === undefined
            ? []
            : [sql`search_text(p.name) like search_pattern(${safeText(page.search)}::text)`])
        ])
        const way = direction(sql, page.sort.descending)
        // Only said where there are any: an index on the others has them first, which the planner takes at its word.
        const nulls = sql.literal(page.sort.by === "videoChannelPosition" ? "nulls last" : "")
        const order = sql`${sql.literal(columns[page.sort.by])} ${way} ${nulls}, p.id ${way}`
        const total = sql`select count(*) from video_playlist p where ${where}`
        const items = sql`
          select p.id, row_number() over (order by ${order}) as position from video_playlist p
          where ${where} order by ${order} ${limit(sql, page)}`
        return yield* playlistPage(sql, total, items)
      }, withDatabaseErrors)

      return PlaylistLists.of({ list })
    })
  )
}
