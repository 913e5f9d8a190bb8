import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Owner of videos and images: one channel, or an account with all its channels. */
export type Owner = { readonly accountId: number } | { readonly channelId: number }

/** Videos per statement, so that no statement or list of row locks grows with the channel. */
const batch = 200

const channelsOf = (sql: SqlClient, owner: Owner) =>
  "channelId" in owner ? sql`c.id = ${owner.channelId}` : sql`c.account_id = ${owner.accountId}`

const videosOf = (sql: SqlClient, owner: Owner) =>
  "channelId" in owner
    ? sql`v.channel_id = ${owner.channelId}`
    : sql`(v.account_id = ${owner.accountId}
        or v.channel_id in (select id from video_channel where account_id = ${owner.accountId}))`

/**
 * Each video has a folder for HLS, which is removed as a whole, with replaced renditions that wait there for removal.
 */
const queueObjects = (sql: SqlClient, ids: ReadonlyArray<number>) => sql`
  with gone as (
    select id, uuid, case when privacy in (3, 4, 5) then '_private' else '' end as place
    from video where id = any(${ids}::int[]) and not remote
  )
  insert into object_removal (bucket, name)
  select 'web_videos' || g.place, f.filename from gone g join video_file f on f.video_id = g.id
    where f.filename is not null
  union all select 'streaming_playlists', g.uuid::text from gone g
  union all select 'streaming_playlists_private', g.uuid::text from gone g
  union all select 'torrents', f.torrent_filename from gone g join video_file f on f.video_id = g.id
    where f.torrent_filename is not null
  union all select 'torrents', f.torrent_filename from gone g
    join streaming_playlist p on p.video_id = g.id join video_file f on f.streaming_playlist_id = p.id
    where f.torrent_filename is not null
  union all select 'original_video_files', s.filename from gone g join video_source s on s.video_id = g.id
    where s.filename is not null
  union all select 'thumbnails', t.filename from gone g join thumbnail t on t.video_id = g.id where t.remote_url is null
  union all select 'storyboards', b.filename from gone g join storyboard b on b.video_id = g.id where b.remote_url is null
  union all select 'captions', c.filename from gone g join video_caption c on c.video_id = g.id
    where c.remote_url is null
`

/**
 * Removes at once what was replaced recently and kept for running players, which cannot play any more. Objects that a
 * ladder intends to store are left: it may still store them, and they are removed when it gives up, or within a day.
 */
const hastenReplaced = (sql: SqlClient, ids: ReadonlyArray<number>) => sql`
  update object_removal set not_before = now()
  where bucket in ('streaming_playlists', 'streaming_playlists_private')
    and not_before between now() and now() + interval '2 hours'
    and split_part(name, '/', 1) in (select uuid::text from video where id = any(${ids}::int[]))
`

/**
 * Deletes up to this many videos of a channel or account, in the caller's transaction, which has locked the channels.
 * Returns the number of videos; fewer means that none are left.
 */
export const removeSomeVideosOf = Effect.fn("ObjectsOfVideos.removeSomeVideosOf")(function* (
  sql: SqlClient,
  owner: Owner,
  max: number
): Effect.fn.Return<number, SqlError> {
  const rows = yield* sql<{ id: number }>`
    select v.id from video v where ${videosOf(sql, owner)} order by v.id limit ${max} for update
  `
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  // A separate statement after the lock: whoever held a video has committed the objects it stored.
  yield* queueObjects(sql, ids)
  yield* hastenReplaced(sql, ids)
  yield* sql`delete from video where id = any(${ids}::int[])`
  return rows.length
})

/** Locks the channels of an owner until the transaction ends, so that no video is uploaded to them meanwhile. */
export const lockChannelsOf = (sql: SqlClient, owner: Owner) =>
  sql`select c.id from video_channel c where ${channelsOf(sql, owner)} order by c.id for update`

/**
 * Deletes every video of a channel or account in the caller's transaction and queues their objects for removal. The
 * channels are locked until the transaction ends, so that no video is uploaded to them meanwhile. Returns the number of
 * videos.
 */
export const removeVideosOf = Effect.fn("ObjectsOfVideos.removeVideosOf")(function* (
  sql: SqlClient,
  owner: Owner
): Effect.fn.Return<number, SqlError> {
  yield* lockChannelsOf(sql, owner)
  let removed = 0
  while (true) {
    const some = yield* removeSomeVideosOf(sql, owner, batch)
    if (some === 0) return removed
    removed += some
  }
})

/**
 * Queues the avatars and banners of a channel, or of an account with all its channels, for removal, in the caller's
 * transaction. Their rows are deleted with the actors.
 */
export const removePicturesOf = Effect.fn("ObjectsOfVideos.removePicturesOf")(function* (
  sql: SqlClient,
  owner: Owner
): Effect.fn.Return<void, SqlError> {
  const actors =
    "channelId" in owner
      ? sql`select actor_id from video_channel where id = ${owner.channelId}`
      : sql`select actor_id from account where id = ${owner.accountId}
          union all select actor_id from video_channel where account_id = ${owner.accountId}`
  yield* sql`
    insert into object_removal (bucket, name)
    select 'avatars', filename from actor_image where actor_id in (${actors}) and remote_url is null
  `
})
