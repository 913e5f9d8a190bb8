-- Voids the kept texts of videos when what they show changes.

create function video_read_model_begin() returns trigger language plpgsql as $$
begin
  if not new.remote then insert into video_read_model (video_id) values (new.id); end if;
  return null;
end $$;

-- Counts stand in no text but that for other instances, which has views and downloads.
create function video_read_model_void() returns trigger language plpgsql as $$
declare
  before video := old;
begin
  before.trend_views := new.trend_views;
  before.local_files_size := new.local_files_size;
  before.has_hls := new.has_hls;
  before.has_web_videos := new.has_web_videos;
  before.views := new.views;
  before.likes := new.likes;
  before.hot_score := new.hot_score;
  before.dislikes := new.dislikes;
  before.comments := new.comments;
  before.downloads := new.downloads;
  if before is distinct from new then
    update video_read_model set summary = null, details = null where video_id = new.id;
  elsif (old.views, old.downloads) is distinct from (new.views, new.downloads) then
    update video_read_model set object = null where video_id = new.id;
  end if;
  return null;
end $$;

-- For tables with a column video_id.
create function video_part_void() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
begin
  perform 1 from video where id = of_video for no key update;
  update video_read_model set summary = null, details = null where video_id = of_video;
  return null;
end $$;

create function video_file_void() returns trigger language plpgsql as $$
declare
  changed video_file := case when tg_op = 'DELETE' then old else new end;
  of_video constant integer := coalesce(
    changed.video_id, (select video_id from streaming_playlist where id = changed.streaming_playlist_id)
  );
begin
  perform 1 from video where id = of_video for no key update;
  update video_read_model set details = null where video_id = of_video;
  return null;
end $$;

create function tag_void() returns trigger language plpgsql as $$
begin
  update video_read_model set summary = null, details = null
    where video_id in (select video_id from video_tag where tag_id = new.id);
  return null;
end $$;
