/** Objects of local videos that rows name, as `bucket`, `name` and `video_id`. A name may be null. */
export const videoObjects = `
  with local as (
    select id, uuid, case when privacy in (3, 4, 5) then '_private' else '' end as folder from video where not remote
  ), file as (
    select v.id as video_id, 'web_videos' || v.folder as bucket, f.filename, f.playlist_filename, f.torrent_filename,
      '' as prefix
    from video_file f join local v on v.id = f.video_id
    union all
    select v.id, 'streaming_playlists' || v.folder, f.filename, f.playlist_filename, f.torrent_filename, v.uuid || '/'
    from video_file f join streaming_playlist p on p.id = f.streaming_playlist_id join local v on v.id = p.video_id
  ), playlist as (
    select v.id as owner, 'streaming_playlists' || v.folder as bucket, v.uuid || '/' as prefix, p.*
    from streaming_playlist p join local v on v.id = p.video_id
  )
  select bucket, prefix || filename as name, video_id from file
  union all select bucket, prefix || playlist_filename, video_id from file
  union all select 'torrents', torrent_filename, video_id from file
  union all select bucket, prefix || playlist_filename, owner from playlist
  union all select bucket, prefix || segments_sha256_filename, owner from playlist
  union all select 'original_video_files', filename, video_id from video_source
  union all select 'thumbnails', filename, video_id from thumbnail where remote_url is null
  union all select 'storyboards', filename, video_id from storyboard where remote_url is null
  union all select 'captions', filename, video_id from video_caption where remote_url is null`

/**
 * Every object that a row names, as `bucket` and `name`: what must be there. Files of other instances are not, unless
 * they were copied. What waits for its removal is not either.
 */
export const namedObjects = `
  select bucket, name from (
    select bucket, name from (${videoObjects}) v
    union all select 'thumbnails', filename from video_playlist_thumbnail where remote_url is null
    union all select 'avatars', filename from actor_image where remote_url is null
    union all select 'uploads', filename from instance_logo
    union all select 'redundancy', unnest(files) from video_redundancy where strategy is not null
    union all select 'user_exports', uuid || '.zip' from user_export where state = 3
    union all select 'user_imports', uuid || '.zip' from user_import where state in (1, 2)
    union all select 'staged_uploads', u.name from upload_object u
    union all select 'staged_uploads', r.name from runner_result_object r
    union all select bucket, c.name from remote_copy c
  ) o where name is not null`
