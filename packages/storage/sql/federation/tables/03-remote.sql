-- What other instances have stands in the tables of what is ours. What is only needed to ask for it again stands beside
-- them, so that asking changes nothing readers see.

create table remote_actor (
  actor_id integer primary key references actor (id) on delete cascade,
  fetched_at timestamptz not null default now(),
  -- Where people look at it.
  page_url text,
  moved_to text,
  also_known_as text[] not null default '{}',
  -- When it last took those who follow it elsewhere.
  moved_at timestamptz
);

-- Keys of actors of other instances: actor and key name each other. Ids with a fragment or without, as the actor's
-- document has them.
create table actor_key (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  key_id text not null unique,
  kind text not null check (kind in ('pem', 'multibase')),
  value text not null
);
create index actor_key_actor on actor_key (actor_id);

create table remote_video (
  video_id integer primary key references video (id) on delete cascade,
  fetched_at timestamptz not null default now(),
  -- What it was last given as: the same again, as some send with every like, changes nothing.
  given uuid,
  tracker_urls text[] not null default '{}',
  likes_url text,
  dislikes_url text,
  shares_url text,
  comments_url text,
  chapters_url text
);

-- Playlists elsewhere, and when they were read.
create table remote_playlist (
  playlist_id integer primary key references video_playlist (id) on delete cascade,
  fetched_at timestamptz not null default now()
);

-- Copies of pictures and captions of others that were asked for here, and may go when room is needed.
create table remote_copy (
  bucket text not null,
  name text not null,
  size bigint not null check (size >= 0),
  made_at timestamptz not null default now(),
  primary key (bucket, name)
);
create index remote_copy_made on remote_copy (bucket, made_at desc);

-- Comments of other instances that were deleted, here or there: they do not come again as long as there is their video.
create table comment_gone (
  url text primary key,
  video_id integer not null references video (id) on delete cascade
);
create index comment_gone_video on comment_gone (video_id);

-- Who has shared a video: announced it to those who follow them.
create table video_share (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  url text not null unique,
  created_at timestamptz not null default now(),
  unique (video_id, actor_id)
);
create index video_share_actor on video_share (actor_id);

-- Viewers of now that other instances report: of our videos one row a viewer there, of theirs one row with how many.
create table remote_viewers (
  video_id integer not null references video (id) on delete cascade,
  viewer text not null,
  host citext not null,
  viewers integer not null check (viewers between 0 and 10000000),
  expires_at timestamptz not null,
  primary key (video_id, viewer)
);
create index remote_viewers_expiry on remote_viewers (expires_at);

-- What a host may still add to a counter of a video of ours in this hour.
create table remote_counting (
  video_id integer not null references video (id) on delete cascade,
  host citext not null,
  hour timestamptz not null,
  kind text not null check (kind in ('view', 'download', 'watch')),
  counted integer not null,
  primary key (video_id, hour, host, kind)
);
create index remote_counting_hour on remote_counting (hour);
