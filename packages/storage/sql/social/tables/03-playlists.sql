-- Playlists, and what stands in them.
--
-- Elements have the places 1 to n without gaps, and so have the playlists of a channel: who changes either locks the
-- playlist's or the channel's row first. A playlist in a channel belongs to the account that owns the channel.
-- Everybody with a login has one "Watch later", made with the account.

create table video_playlist (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  url text not null unique,
  name text not null,
  description text,
  -- 1 public, 2 unlisted, 3 private
  privacy smallint not null default 3 check (privacy in (1, 2, 3)),
  -- 1 regular, 2 watch later
  type smallint not null default 1 check (type in (1, 2)),
  owner_account_id integer not null references account (id) on delete cascade,
  channel_id integer references video_channel (id) on delete set null,
  channel_position integer check (channel_position > 0),
  remote boolean not null default false,
  -- How many elements there are, whether or not their videos are still there.
  videos_length integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((channel_id is null) = (channel_position is null)),
  check (privacy <> 1 or channel_id is not null),
  check (type = 1 or (privacy = 3 and channel_id is null)),
  unique (channel_id, channel_position) deferrable initially immediate
);
create unique index video_playlist_watch_later on video_playlist (owner_account_id) where type = 2;
create index video_playlist_owner on video_playlist (owner_account_id, created_at desc, id desc);
create index video_playlist_public on video_playlist (created_at desc, id desc) where privacy = 1;

create table video_playlist_element (
  id integer generated always as identity primary key,
  -- Of elements elsewhere; that of ours is the playlist's with "/videos/" and the id.
  url text unique,
  playlist_id integer not null references video_playlist (id) on delete cascade,
  -- Null once the video is deleted.
  video_id integer references video (id) on delete set null,
  position integer not null check (position > 0),
  -- Seconds.
  start_timestamp integer check (start_timestamp >= 0),
  stop_timestamp integer check (stop_timestamp >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Places move in one statement, at whose end they have to be different.
  unique (playlist_id, position) deferrable initially immediate
);
create index video_playlist_element_video on video_playlist_element (video_id, playlist_id);

-- Pictures somebody chose. A playlist without shows the picture of a video in it.
create table video_playlist_thumbnail (
  id integer generated always as identity primary key,
  playlist_id integer not null references video_playlist (id) on delete cascade,
  filename text not null unique,
  width integer not null,
  height integer not null,
  remote_url text,
  created_at timestamptz not null default now()
);
create index video_playlist_thumbnail_playlist on video_playlist_thumbnail (playlist_id, width);

-- Words of public playlists, and of no other: searches correct words by what stands here.
create table playlist_document (
  id integer primary key references video_playlist (id) on delete cascade,
  document tsvector not null
);
create index playlist_document_words on playlist_document using gin (document) with (gin_pending_list_limit = 256);
