-- Imports of videos: where they go, the torrent that was sent, and what becomes of them when their video is deleted;
-- and channels that follow others elsewhere. URLs are looked up by their digest, since they may be longer than an index
-- takes. What was listed elsewhere before is remembered by a digest of its address, to find what is new where lists
-- have no dates.

-- 1 waiting for its first run, 2 running, 3 up to date, 4 failed
create table video_channel_sync (
  id integer generated always as identity primary key,
  channel_id integer not null references video_channel (id) on delete cascade,
  external_channel_url text not null,
  state smallint not null default 1 check (state between 1 and 4),
  video_privacy smallint not null default 1 check (video_privacy between 1 and 4),
  last_sync_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  full_wanted_at timestamptz
);
create index video_channel_sync_channel on video_channel_sync (channel_id);

create table video_channel_sync_seen (
  sync_id integer not null references video_channel_sync (id) on delete cascade,
  url_digest uuid not null,
  primary key (sync_id, url_digest)
);

-- 1 pending, 2 done, 3 failed, 4 rejected, 5 cancelled, 6 running
create table video_import (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer references video (id) on delete set null,
  channel_sync_id integer references video_channel_sync (id) on delete set null,
  target_url text,
  magnet_uri text,
  torrent_name text,
  state smallint not null default 1 check (state between 1 and 6),
  error text,
  attempts integer not null default 0,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  channel_id integer references video_channel (id) on delete set null,
  torrent bytea
);
create index video_import_user on video_import (user_id, created_at desc);
create index video_import_video on video_import (video_id);
create index video_import_target on video_import (channel_id, md5(target_url));
create index video_import_sync on video_import (channel_sync_id) where channel_sync_id is not null;
create index video_import_open on video_import (id) where state in (1, 6);
