-- Who watches what, as long as it is needed to count: sessions of viewers, the viewers of now, views by day, histories.
--
-- A session of a video's viewer is one row. While it is open it carries keyed hashes of who watches; when it has ended
-- they go, and what is left identifies nobody. The viewers of now are beside the videos, since they change all the
-- time: `set_viewers` writes them into the ready answers without voiding these.

create table user_video_history (
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  current_time_seconds integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, video_id)
);
create index user_video_history_video on user_video_history (video_id);
create index user_video_history_recent on user_video_history (user_id, updated_at desc, video_id desc);

create table video_view_day (
  video_id integer not null references video (id) on delete cascade,
  day date not null,
  views integer not null check (views >= 0),
  primary key (video_id, day) include (views)
);
create index video_view_day_day on video_view_day (day, video_id) include (views);

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
  viewers integer not null check (viewers >= 0),
  -- Viewers elsewhere are counted beside those here, and shown together.
  remote integer not null default 0 check (remote >= 0)
);
