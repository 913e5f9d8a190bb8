/**
 * Imports of videos: where they go, the torrent that was sent, and what becomes of them when their video is deleted. URLs
 * are looked up by their digest, since they may be longer than an index takes.
 */
export const M0017Imports = `
alter table video_import
  add column channel_id integer references video_channel (id) on delete set null,
  add column torrent bytea;
create index video_import_target on video_import (channel_id, md5(target_url));
create index video_import_sync on video_import (channel_sync_id) where channel_sync_id is not null;
create index video_import_open on video_import (id) where state in (1, 6);

-- Whoever deletes a video that is still being imported ends its import: its job goes with the video.
create function video_import_orphaned() returns trigger language plpgsql as $$
begin
  new.state := 5;
  new.updated_at := now();
  return new;
end $$;
create trigger video_import_orphaned before update of video_id on video_import
  for each row when (new.video_id is null and old.video_id is not null and old.state in (1, 6))
  execute function video_import_orphaned();
`
