import { type Json, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import { playlistJson, type PlaylistRow } from "./PlaylistJson.ts"

/** Its value are ids of playlists. */
const statement = `
  select p.id, o.origin, p.uuid::text as uuid, p.url, p.name, p.description, p.remote, p.privacy, p.type,
    p.videos_length as "videosLength", wire_time(p.created_at) as "createdAt", wire_time(p.updated_at) as "updatedAt",
    i.pictures, coalesce((
      select json_agg(t) from (
        select type, filename, remote_url as "remoteUrl", width, height from thumbnail
        where video_id = case when json_array_length(i.pictures) = 0 then playlist_cover(p.id) end order by width, id
      ) t
    ), '[]') as cover,
    a.actor_id as "ownerActorId", c.actor_id as "channelActorId", p.channel_position as "channelPosition"
  from (select wire_origin() as origin) o, video_playlist p
    cross join lateral (
      select coalesce(json_agg(t), '[]') as pictures from (
        select filename, remote_url as "remoteUrl", width, height from video_playlist_thumbnail
        where playlist_id = p.id order by width, id
      ) t
    ) i
    join account a on a.id = p.owner_account_id left join video_channel c on c.id = p.channel_id
  where p.id = any($1::int[])`

/** Playlists by id, as JSON text; one that is gone is missing. */
export const playlistTexts = Effect.fnUntraced(function* (sql: SqlClient, ids: ReadonlyArray<number>) {
  const texts = new Map<number, Json<VideoPlaylist>>()
  if (ids.length === 0) return texts
  const rows = yield* sql.unsafe<PlaylistRow>(statement, [ids])
  const shown = rows.flatMap(({ channelActorId, ownerActorId }) =>
    channelActorId === null ? [ownerActorId] : [ownerActorId, channelActorId]
  )
  const actors = yield* actorRows(sql, [...new Set(shown)])
  for (const row of rows) {
    const owner = actors.get(row.ownerActorId)
    const channel = row.channelActorId === null ? undefined : actors.get(row.channelActorId)
    if (owner !== undefined) texts.set(row.id, toJson<VideoPlaylist>(playlistJson(row, owner, channel)))
  }
  return texts
})

type Listed = { readonly total: number; readonly id: number | null }

/**
 * A page of playlists as JSON text.
 *
 * @param total a query of one number
 * @param items a query of `id` and `position` (its place on the page)
 */
export const playlistPage = Effect.fnUntraced(function* (sql: SqlClient, total: Fragment, items: Fragment) {
  const rows = yield* sql<Listed>`
    select t.total, p.id from (select (${total})::integer as total) t left join (${items}) p on true order by p.position`
  const ids = rows.map(({ id }) => id).filter((id) => id !== null)
  const texts = yield* playlistTexts(sql, ids)
  const page: JsonPage<VideoPlaylist> = textPage(
    rows[0]?.total ?? 0,
    ids.map((id) => texts.get(id))
  )
  return page
})
