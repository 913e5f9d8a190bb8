import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import type { VideoPlaylist, VideoPlaylistElementList } from "@kinora/domain/wire/VideoPlaylist"
import { PlaylistReads } from "@kinora/storage/social/playlist/PlaylistReads"
import { Effect, Layer, Option, Schema } from "effect"
import { PagePlaylists } from "../PagePlaylists.ts"
import { PlaylistElements } from "../../social/playlist/PlaylistElements.ts"

/** JSON from the database, used as it is. The tests of the code that produces it check its shape. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

/** Playlists for pages, from the same queries as the API's. */
export const PagePlaylistsLayer = Layer.effect(
  PagePlaylists,
  Effect.gen(function* () {
    const reads = yield* PlaylistReads
    const elements = yield* PlaylistElements
    return PagePlaylists.of({
      byId: Effect.fn("PagePlaylists.byId")(function* (id) {
        const found = yield* reads.open(id)
        return Option.isNone(found) ? yield* new PlaylistNotFound() : (parse(found.value.body) as VideoPlaylist)
      }),
      elements: Effect.fn("PagePlaylists.elements")(function* (playlistId, page) {
        return parse(yield* elements.list(playlistId, page, Option.none())) as VideoPlaylistElementList
      })
    })
  })
)
