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

-- For tables with a column video_id, and files of streaming playlists, which no summary shows.
create function video_part_void() returns trigger language plpgsql as $$
declare
  of_video integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
begin
  if of_video is null then
    select video_id into of_video from streaming_playlist
      where id = case when tg_op = 'DELETE' then old.streaming_playlist_id else new.streaming_playlist_id end;
  end if;
  perform 1 from video where id = of_video for no key update;
  if tg_table_name = 'video_file' then
    update video_read_model set details = null where video_id = of_video;
  else
    update video_read_model set summary = null, details = null where video_id = of_video;
  end if;
  return null;
end $$;

-- One text, named by the argument, of the video of a row with a column video_id.
create function video_text_void() returns trigger language plpgsql as $$
begin
  update video_read_model set
    details = case when tg_argv[0] = 'details' then null else details end,
    object = case when tg_argv[0] = 'object' then null else object end
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;

create function tag_void() returns trigger language plpgsql as $$
begin
  update video_read_model set summary = null, details = null
    where video_id in (select video_id from video_tag where tag_id = new.id);
  return null;
end $$;
