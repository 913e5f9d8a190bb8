-- Voids ready answers when what they show changes, and makes them anew.

create function video_wire_begin() returns trigger language plpgsql as $$
begin
  if not new.remote then insert into video_wire (video_id) values (new.id); end if;
  return null;
end $$;

-- How many comments there are is written into the ready answers without voiding these, as ratings are.
create function video_wire_void() returns trigger language plpgsql as $$
declare
  before video := old;
begin
  before.trend_views := new.trend_views;
  before.local_files_size := new.local_files_size;
  before.has_hls := new.has_hls;
  before.has_web_videos := new.has_web_videos;
  before.likes := new.likes;
  before.hot_score := new.hot_score;
  before.dislikes := new.dislikes;
  before.comments := new.comments;
  if before is distinct from new then
    update video_wire set summary = null, details = null where video_id = new.id;
  elsif (old.likes, old.dislikes, old.comments) is distinct from (new.likes, new.dislikes, new.comments) then
    update video_wire set summary = wire_recounted(summary, old, new), details = wire_recounted(details, old, new)
      where video_id = new.id;
  end if;
  return null;
end $$;

-- For tables with a column video_id.
create function video_part_void() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
begin
  perform 1 from video where id = of_video for no key update;
  update video_wire set summary = null, details = null where video_id = of_video;
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
  update video_wire set details = null where video_id = of_video;
  return null;
end $$;

create function tag_void() returns trigger language plpgsql as $$
begin
  update video_wire set summary = null, details = null
    where video_id in (select video_id from video_tag where tag_id = new.id);
  return null;
end $$;

-- Makes up to so many missing answers of each kind; answers how many. Nodes share the work: locked rows are passed by.
create function refresh_wire(at_most integer) returns integer language plpgsql as $$
declare
  videos integer[];
  actors integer[];
begin
  select coalesce(array_agg(video_id), '{}') into videos from (
    select video_id from video_wire where summary is null or details is null limit at_most for update skip locked
  ) w;
  update video_wire set
    summary = coalesce(summary, wire_video_summary(video_id)), details = coalesce(details, wire_video_details(video_id))
    where video_id = any(videos);
  select coalesce(array_agg(actor_id), '{}') into actors from (
    select actor_id from actor_wire where wire is null limit at_most for update skip locked
  ) w;
  update actor_wire w set wire = coalesce(
    (select wire_account(a.id) from account a where a.actor_id = w.actor_id),
    (select wire_channel(c.id) from video_channel c where c.actor_id = w.actor_id),
    ''
  ) where actor_id = any(actors);
  return cardinality(videos) + cardinality(actors);
end $$;
