-- What the files of a video come to.

-- Changes a video only where there is something to change: mostly there is not, since those who write files say so
-- before.
create function video_files_kept() returns trigger language plpgsql as $$
declare
  ids integer[];
  v record;
  hls boolean;
  web boolean;
  bytes bigint;
begin
  if tg_table_name = 'streaming_playlist' then
    ids := array(select distinct video_id from changed);
  else
    ids := array(
      select distinct coalesce(c.video_id, s.video_id) from changed c
        left join streaming_playlist s on s.id = c.streaming_playlist_id
    );
  end if;
  -- Two that change files of one video take turns, and each counts what the other has written.
  for v in select id, remote, has_hls, has_web_videos, local_files_size from video where id = any(ids) order by id
    for no key update
  loop
    hls := exists (select from streaming_playlist where video_id = v.id);
    web := exists (select from video_file where video_id = v.id);
    bytes := 0;
    if not v.remote then
      bytes := (select coalesce(sum(size), 0) from video_file where video_id = v.id)
        + (select coalesce(sum(h.size), 0) from streaming_playlist s join video_file h on h.streaming_playlist_id = s.id
          where s.video_id = v.id);
    end if;
    if (v.has_hls, v.has_web_videos, v.local_files_size) is distinct from (hls, web, bytes) then
      update video set has_hls = hls, has_web_videos = web, local_files_size = bytes where id = v.id;
    end if;
  end loop;
  return null;
end $$;
