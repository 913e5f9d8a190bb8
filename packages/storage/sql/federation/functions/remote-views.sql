-- Views and viewers that other instances count.

-- Whether one more of a kind counts for a video of ours: a host adds no more than so many in an hour.
create function remote_count(of_video integer, of_host citext, of_kind text, most integer) returns boolean
language plpgsql as $$
begin
  insert into remote_counting as c (video_id, host, hour, kind, counted)
    values (of_video, of_host, date_trunc('hour', now()), of_kind, 1)
    on conflict (hour, video_id, host, kind) do update set counted = c.counted + 1 where c.counted < most;
  return found;
end $$;

-- One view of a video that somebody else's instance counted.
create function add_remote_view(of_video integer) returns void language plpgsql as $$
begin
  update video set views = views + 1, trend_views = trend_views + 1 where id = of_video;
  if not found then return; end if;
  insert into video_view_day as d (video_id, day, views) values (of_video, (now() at time zone 'UTC')::date, 1)
    on conflict (video_id, day) do update set views = d.views + 1;
end $$;

-- Forgets viewers elsewhere whose time is over; answers of how many videos.
create function settle_remote_viewers() returns integer language plpgsql as $$
declare
  c record;
  changed integer := 0;
begin
  delete from remote_viewers where expires_at < now();
  for c in
    select coalesce(n.video_id, k.video_id) as id, coalesce(n.viewers, 0) as viewers from (
      select video_id, least(sum(viewers), 100000000)::integer as viewers from remote_viewers group by 1
    ) n full join (select video_id, remote from video_viewers where remote > 0) k on k.video_id = n.video_id
    where n.viewers is distinct from k.remote order by 1
  loop
    insert into video_viewers (video_id, viewers, remote)
      select id, 0, c.viewers from video where id = c.id for key share
      on conflict (video_id) do update set remote = excluded.remote;
    changed := changed + 1;
  end loop;
  return changed;
end $$;
