-- What other instances know of our things (docs/decisions/outbox.md), and actors that are gone.

-- What was last sent about a video. The digest is of everything sent but counters.
create table video_told (
  video_id integer primary key references video (id) on delete cascade,
  announced boolean not null,
  times integer not null default 1,
  -- By channel and instance: only what is public is.
  shared boolean not null default true,
  channel_actor_id integer not null,
  account_actor_id integer not null,
  -- Former channels and owners, whose followers have it too.
  former integer[] not null default '{}',
  digest bytea
);

-- Videos whose counters have moved: they are sent at intervals, however many there are. And those that were edited
-- together with many others.
create table video_recount (
  video_id integer primary key references video (id) on delete cascade,
  due timestamptz not null,
  counted boolean not null default true,
  edited boolean not null default false
);
create index video_recount_due on video_recount (due);

create table playlist_told (
  playlist_id integer primary key references video_playlist (id) on delete cascade,
  announced boolean not null,
  times integer not null default 1,
  -- Everybody whose followers have it: owners and channels, former ones too.
  known integer[] not null default '{}',
  digest bytea
);

-- What was last sent about an actor.
create table actor_told (
  actor_id integer primary key references actor (id) on delete cascade,
  digest bytea not null
);

-- Gone from the moment this stands here: nothing of theirs is taken any more. The row goes with the actor.
create table actor_departure (
  actor_id integer primary key references actor (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Not looked at again before: one that cannot be removed is not in the way of others.
  next_at timestamptz not null default now(),
  failures integer not null default 0
);
create index actor_departure_next on actor_departure (next_at);
