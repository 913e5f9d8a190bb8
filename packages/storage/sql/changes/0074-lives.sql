-- Lives: what publishes them and how, when they are announced, and the stretches in which they were published.

-- The key of a live opens the door for whoever publishes it. It is found by its digest, and read by its makers alone:
-- sealed, it is of no use to who sees the database. dvr_window is in seconds.
create table live_video (
  video_id integer primary key references video (id) on delete cascade,
  key_digest bytea not null unique,
  sealed_key text not null,
  save_replay boolean not null,
  replay_privacy smallint check (replay_privacy between 1 and 5),
  permanent boolean not null,
  latency_mode smallint not null default 1 check (latency_mode between 1 and 3),
  dvr_window integer not null default 0 check (dvr_window >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table live_schedule (
  video_id integer not null references video (id) on delete cascade,
  start_at timestamptz not null,
  primary key (video_id, start_at)
);

-- token begins the names of its files, and is the folder of its recording. holder is the node that runs it.
-- ending_processed: nothing is left to do after its end, such as making the replay.
create table live_session (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  token uuid not null unique default gen_random_uuid(),
  holder text not null,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  error smallint check (error between 1 and 9),
  save_replay boolean not null,
  replay_privacy smallint check (replay_privacy between 1 and 5),
  ending_processed boolean not null default false,
  replay_video_id integer references video (id) on delete set null
);
create unique index live_session_running on live_session (video_id) where ended_at is null;
create index live_session_video on live_session (video_id, started_at);
create index live_session_replay on live_session (replay_video_id) where replay_video_id is not null;
