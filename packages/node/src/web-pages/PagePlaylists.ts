import type { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { VideoPlaylist, VideoPlaylistElementList } from "@kinora/domain/wire/VideoPlaylist"
import { Context, type Effect } from "effect"

/** Data of playlists for pages, in API format, as anonymous visitors may see them. */
export class PagePlaylists extends Context.Service<
  PagePlaylists,
  {
    /** A public playlist, or an unlisted one that is requested by its UUID. */
    byId(id: PlaylistIdOrUuid): Effect.Effect<VideoPlaylist, PlaylistNotFound | DatabaseUnavailable>
    /** Its elements, from a position (counted from 0) on. */
    elements(
      playlistId: number,
      page: { readonly start: number; readonly count: number }
    ): Effect.Effect<VideoPlaylistElementList, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PagePlaylists") {}
