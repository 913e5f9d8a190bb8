import { type ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { recordActivity } from "../../people/collaborator/ChannelActivities.ts"
import { type PlaylistFacts, playlistFacts } from "./PlaylistRows.ts"

/**
 * Holds the channel of a playlist, then the videos, then the playlist, as every writer does; undefined when the playlist
 * is gone. Elements and their places are changed by nobody else until the transaction ends.
 */
export const lockPlaylist = Effect.fnUntraced(function* (
  sql: SqlClient,
  playlistId: number,
  between: Effect.Effect<unknown, SqlError> = Effect.void
) {
  yield* sql`
    select 1 from video_channel where id = (select channel_id from video_playlist where id = ${playlistId})
    for key share`
  yield* between
  yield* sql`select 1 from video_playlist where id = ${playlistId} for no key update`
  // In a statement of its own: what was changed while this waited is seen.
  const rows = yield* sql<PlaylistFacts>`select ${playlistFacts(sql)} from video_playlist p where p.id = ${playlistId}`
  return rows[0]
})

/** Marks a playlist as changed and records the change in its channel's activities, if it has a channel. */
export const touchPlaylist = Effect.fnUntraced(function* (
  sql: SqlClient,
  playlist: PlaylistFacts,
  accountId: number,
  action: ChannelActivityAction
) {
  yield* sql`update video_playlist set updated_at = now() where id = ${playlist.id}`
  yield* recordPlaylistActivity(sql, playlist, accountId, action)
})

/** Records what was done to a playlist in its channel's activities, if it has a channel. */
export const recordPlaylistActivity = (
  sql: SqlClient,
  playlist: Pick<PlaylistFacts, "id" | "uuid" | "url" | "name" | "channelId">,
  accountId: number,
  action: ChannelActivityAction
) => {
  const { channelId, id, name, url, uuid } = playlist
  if (channelId === null) return Effect.void
  const target = { playlist: { id, name, uuid, url } }
  return recordActivity(sql, { channelId, accountId, action, targetType: ChannelActivityTarget.playlist, target })
}
