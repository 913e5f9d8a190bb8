import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { finderOf, type Found, keyOf, named } from "./ObjectFound.ts"
import {
  elementUrlsAt,
  PlaylistElementRow,
  PlaylistRow,
  selectPlaylistElements,
  selectPlaylists
} from "./rows/PlaylistRow.ts"

/** A playlist with the addresses of some of its elements. */
const PlaylistPageRow = Schema.Struct({ ...PlaylistRow.fields, elementUrls: Schema.Array(Schema.String) })
export type PlaylistPageRow = typeof PlaylistPageRow.Type

const target = (id: PlaylistIdOrUuid): string => `
  select p.id, not p.remote and p.privacy in (1, 2) as shown,
    case when p.remote and p.privacy in (1, 2) then p.url end as elsewhere
  from video_playlist p where ${named(id, "p")}`

/** Positions have no gaps, so those of a page are known. */
const elementUrls = elementUrlsAt("($2::int - 1)::bigint * $3::int", "$2::bigint * $3::int")

/** Playlists as other instances read them, without elements whose videos others may not know. */
export class PlaylistObjects extends Context.Service<
  PlaylistObjects,
  {
    readonly object: (id: PlaylistIdOrUuid) => Found<PlaylistRow>
    /** A page of its elements, counted from 1. */
    readonly page: (id: PlaylistIdOrUuid, page: number, size: number) => Found<PlaylistPageRow>
    readonly element: (id: PlaylistIdOrUuid, elementId: number) => Found<PlaylistElementRow>
  }
>()("@kinora/storage/activitypub/PlaylistObjects") {
  static readonly layer = Layer.effect(
    PlaylistObjects,
    Effect.map(SqlClient, (sql) => {
      const playlists = finderOf(sql, PlaylistRow)
      const pages = finderOf(sql, PlaylistPageRow)
      const elements = finderOf(sql, PlaylistElementRow)
      const rows = selectPlaylists("p.id = t.id")
      const pageRows = selectPlaylists("p.id = t.id", `, ${elementUrls} as "elementUrls"`)
      const elementRows = selectPlaylistElements("e.id = $2 and e.playlist_id = t.id")
      return PlaylistObjects.of({
        object: (id) => playlists({ target: target(id), rows }, [keyOf(id)]),
        page: (id, page, size) => pages({ target: target(id), rows: pageRows }, [keyOf(id), page, size]),
        element: (id, elementId) => elements({ target: target(id), rows: elementRows }, [keyOf(id), elementId])
      })
    })
  )
}
