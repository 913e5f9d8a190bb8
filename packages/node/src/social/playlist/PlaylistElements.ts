import { PlaylistElementType } from "@kinora/domain/enums/PlaylistType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { jsonOf, type JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPlaylistElement } from "@kinora/domain/wire/VideoPlaylist"
import { PlaylistElementReads, type PlaylistPlace } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { Context, Effect, Layer, type Option } from "effect"
import type { RemoteUri } from "../../people/rights/LookUpRight.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { readerOf } from "../../video/list/Reader.ts"
import { elementType } from "./PlaylistRights.ts"

/** A page of a playlist: counted from 0. */
export interface PlacesPage {
  readonly start: number
  readonly count: number
}

const item = (place: PlaylistPlace, user: Option.Option<CurrentUserShape>, remoteUri: RemoteUri): string => {
  const type = elementType(place, user, remoteUri)
  const { id, position, startTimestamp, stopTimestamp, summary } = place
  const video = type === PlaylistElementType.regular ? summary : "null"
  return `{"id":${id},"position":${position},"startTimestamp":${startTimestamp},"stopTimestamp":${stopTimestamp},"type":${type},"video":${video}}`
}

/** What stands in playlists, as who asks may see it. */
export class PlaylistElements extends Context.Service<
  PlaylistElements,
  {
    /** JSON text (contract: VideoPlaylistElement) of a page. Whether the playlist may be seen is decided before. */
    readonly list: (
      playlistId: number,
      page: PlacesPage,
      user: Option.Option<CurrentUserShape>
    ) => Effect.Effect<JsonPage<VideoPlaylistElement>, DatabaseUnavailable>
  }
>()("@kinora/node/playlists/PlaylistElements") {
  static readonly layer = Layer.effect(
    PlaylistElements,
    Effect.gen(function* () {
      const reads = yield* PlaylistElementReads
      const { remote_uri } = (yield* KinoraConfig).search
      return PlaylistElements.of({
        list: Effect.fnUntraced(function* (playlistId, page, user) {
          const { places, total } = yield* reads.page(playlistId, page, readerOf(user))
          return jsonOf(`{"total":${total},"data":[${places.map((place) => item(place, user, remote_uri)).join(",")}]}`)
        })
      })
    })
  )
}
