-- Counts views, and shows the viewers of now.

-- Seconds of the video that lie between two reports of a viewer: none after a jump, and never more than can have been
-- watched, at twice the speed, since the last report or since the session began.
create function view_gain(
  former_position integer, former_seen timestamptz, started timestamptz, so_far integer,
  new_position integer, sought boolean, seen timestamptz
) returns integer language sql immutable as $$
  select case
    when sought or new_position <= former_position then 0
    when new_position - former_position > extract(epoch from seen - former_seen) * 2 + 3 then 0
    else greatest(0, least(
      new_position - former_position, floor(extract(epoch from seen - started) * 2 + 3)::integer - so_far
    ))
  end
$$;

create function set_viewers(of_video integer, of_viewers integer) returns void language sql as $$
  insert into video_viewers (video_id, viewers) select id, of_viewers from video where id = of_video for key share
    on conflict (video_id) do update set viewers = excluded.viewers
$$;

-- Adds the views of a video that were counted and not yet added; answers how many.
create function apply_views(of_video integer) returns integer language plpgsql as $$
declare
  of_others boolean;
  added integer;
begin
  -- The video first, as who deletes it does; sessions that are being written have their turn next time.
  select remote into of_others from video where id = of_video for no key update;
  if of_others then
    with free as (
      select id from video_viewing where video_id = of_video and counted_at is not null and not applied
      for update skip locked
    ), counted as (
      update video_viewing v set applied = true from free f where v.id = f.id returning v.id
    )
    select count(*) into added from counted;
    if added > 0 then perform mark_views(of_video, added); end if;
    delete from video_viewing where video_id = of_video and viewer is null and applied;
    return added;
  end if;
  with free as (
    select id from video_viewing where video_id = of_video and counted_at is not null and not applied
    for update skip locked
  ), counted as (
    update video_viewing v set applied = true from free f where v.id = f.id
    returning (v.counted_at at time zone 'UTC')::date as day
  ), daily as (
    insert into video_view_day (video_id, day, views) select of_video, day, count(*) from counted group by day
    on conflict (video_id, day) do update set views = video_view_day.views + excluded.views
  )
  select count(*) into added from counted;
  if added > 0 then update video set views = views + added, trend_views = trend_views + added where id = of_video; end if;
  return added;
end $$;

-- Brings the views of the last so many days (UTC, today's included) up to date, of at most so many videos; answers of
-- how many.
create function refresh_trends(days integer, at_most integer) returns integer language plpgsql as $$
declare
  changed integer;
begin
  with recent as (
    select video_id, sum(views)::integer as views from video_view_day
    where day > (now() at time zone 'UTC')::date - days group by video_id
  ), wrong as (
    select coalesce(r.video_id, v.id) as id, coalesce(r.views, 0) as views
    from recent r full join (select id, trend_views from video where trend_views > 0) v on v.id = r.video_id
    where coalesce(r.views, 0) <> coalesce(v.trend_views, 0) order by 1 limit at_most
  ), locked as (
    select w.* from wrong w join video v on v.id = w.id order by w.id for no key update of v
  )
  update video v set trend_views = l.views from locked l where v.id = l.id;
  get diagnostics changed = row_count;
  return changed;
end $$;
