-- Sources, renditions, streaming playlists, pictures, captions and chapters of videos.

-- The file as it was uploaded. filename is the object's name, null once the original is not kept.
create table video_source (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  input_filename text not null,
  filename text unique,
  size bigint,
  width integer,
  height integer,
  resolution integer,
  fps real,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- False: what the video shows was made from the source before, until the renditions of this one are there.
  shown boolean not null default true,
  -- The video was published when this source took the place of another: its date of publication stays.
  republishes boolean not null default false
);
create index video_source_video on video_source (video_id, created_at desc);

create table streaming_playlist (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  type smallint not null default 1 check (type = 1),
  playlist_filename text,
  playlist_url text,
  segments_sha256_filename text,
  segments_sha256_url text,
  storage smallint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (video_id, type)
);

-- A rendition: belongs to the video (web video) or to its streaming playlist (HLS), never to both.
create table video_file (
  id integer generated always as identity primary key,
  video_id integer references video (id) on delete cascade,
  streaming_playlist_id integer references streaming_playlist (id) on delete cascade,
  resolution integer not null,
  width integer,
  height integer,
  fps real not null,
  size bigint not null check (size >= 0),
  extname text not null,
  filename text unique,
  file_url text,
  playlist_filename text,
  playlist_url text,
  torrent_filename text unique,
  info_hash text,
  has_audio boolean not null,
  has_video boolean not null,
  storage smallint not null default 0,
  metadata jsonb,
  metadata_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  torrent_url text,
  check ((video_id is null) <> (streaming_playlist_id is null))
);
create index video_file_video on video_file (video_id);
create index video_file_playlist on video_file (streaming_playlist_id);
create index video_file_info_hash on video_file (info_hash);

-- type 1: miniature (small), type 2: preview (large)
create table thumbnail (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  type smallint not null check (type in (1, 2)),
  filename text not null unique,
  width integer not null,
  height integer not null,
  automatically_generated boolean not null default true,
  remote_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index thumbnail_video on thumbnail (video_id, type);

create table storyboard (
  id integer generated always as identity primary key,
  video_id integer not null unique references video (id) on delete cascade,
  filename text not null unique,
  total_width integer not null,
  total_height integer not null,
  sprite_width integer not null,
  sprite_height integer not null,
  sprite_duration integer not null,
  remote_url text,
  created_at timestamptz not null default now()
);

create table video_caption (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  language text not null,
  filename text not null unique,
  playlist_filename text,
  automatically_generated boolean not null default false,
  remote_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (video_id, language)
);

create table video_chapter (
  video_id integer not null references video (id) on delete cascade,
  timecode integer not null check (timecode >= 0),
  title text not null,
  primary key (video_id, timecode)
);
