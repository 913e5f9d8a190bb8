-- Copies of videos. A copy is what one instance keeps of the HLS files of another's video: ours have a strategy and
-- files, those others announce to us have neither.

create table video_redundancy (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  streaming_playlist_id integer not null references streaming_playlist (id) on delete cascade,
  -- Who keeps it.
  actor_id integer not null references actor (id) on delete cascade,
  -- Id of its CacheFile.
  url text not null unique,
  -- Where its files are, without their names.
  base_url text not null,
  strategy text check (strategy in ('manual', 'most-views', 'trending', 'recently-added')),
  size bigint not null default 0 check (size >= 0),
  -- Objects of the bucket "redundancy".
  files text[] not null default '{}',
  -- Null: until somebody removes it.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (streaming_playlist_id, actor_id)
);
create index video_redundancy_video on video_redundancy (video_id);
create index video_redundancy_actor on video_redundancy (actor_id);
create index video_redundancy_ours on video_redundancy (strategy, expires_at) where strategy is not null;
