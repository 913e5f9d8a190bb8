/**
 * Who watches what, as long as it is needed to count: sessions of viewers, the viewers of now, and the order of histories.
 *
 * A session of a video's viewer is one row. While it is open it carries keyed hashes of who watches; when it has ended
 * they go, and what is left tells of nobody. The viewers of now are beside the videos, since they change all the time:
 * `set_viewers` writes them into the ready answers without voiding these.
 */
export const M0014Views = `
create table video_viewing (
  id bigint generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  viewer bytea,
  address bytea,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  position integer not null,
  sought boolean not null,
  watch_time integer not null default 0,
  watched int4multirange not null default '{}',
  counted_at timestamptz,
  applied boolean not null default false,
  client text,
  device text,
  operating_system text
) with (fillfactor = 80);
-- The hashes are made with the video: alone they find a session, whatever the planner knows of the table.
create unique index video_viewing_open on video_viewing (viewer) where viewer is not null;
create index video_viewing_address on video_viewing (address) where address is not null;
create index video_viewing_counted on video_viewing (video_id) where counted_at is not null and not applied;
create index video_viewing_started on video_viewing (video_id, started_at);

create table video_viewers (
  video_id integer primary key references video (id) on delete cascade,
  viewers integer not null check (viewers >= 0)
);

create index user_video_history_recent on user_video_history (user_id, updated_at desc, video_id desc);

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

create function wire_viewers(of_video integer) returns integer language sql stable as
$$ select coalesce((select viewers from video_viewers where video_id = of_video), 0) $$;

-- Whatever the function tells by now, it is to tell the viewers as well.
do $$ begin
  execute replace(
    pg_get_functiondef('wire_video_common(integer, boolean)'::regprocedure), '0 as viewers', 'wire_viewers(v.id) as viewers'
  );
end $$;

create function set_viewers(of_video integer, of_viewers integer) returns void language plpgsql as $$
begin
  insert into video_viewers (video_id, viewers) select id, of_viewers from video where id = of_video for key share
    on conflict (video_id) do update set viewers = excluded.viewers;
  update video_wire set
    summary = regexp_replace(summary, '"viewers":[0-9]+', '"viewers":' || of_viewers),
    details = regexp_replace(details, '"viewers":[0-9]+', '"viewers":' || of_viewers)
    where video_id = of_video;
end $$;

-- Adds the views of a video that were counted and not yet added; answers how many.
create function apply_views(of_video integer) returns integer language plpgsql as $$
declare
  added integer;
begin
  -- The video first, as who deletes it does; sessions that are being written have their turn next time.
  perform 1 from video where id = of_video for no key update;
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
  if added > 0 then update video set views = views + added where id = of_video; end if;
  return added;
end $$;
`
