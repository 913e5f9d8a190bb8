/**
 * Videos, their files, playlists, pictures and what decides who may see them.
 *
 * The visibility rule stands once, in `video_is_listed`: published, public, not blacklisted. A trigger keeps
 * `video.listed`. What lists are filtered and sorted by, and the indexes for it, are in M0006VideoLists.
 */
export const M0002Videos = `
create table video (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  channel_id integer not null references video_channel (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  remote boolean not null default false,
  url text not null unique,
  name text not null,
  category smallint,
  licence smallint,
  language text,
  privacy smallint not null check (privacy between 1 and 5),
  state smallint not null check (state between 1 and 12),
  nsfw boolean not null default false,
  nsfw_flags integer not null default 0,
  nsfw_summary text,
  description text,
  support text,
  duration integer not null default 0 check (duration >= 0),
  aspect_ratio real,
  is_live boolean not null default false,
  wait_transcoding boolean not null default false,
  download_enabled boolean not null default true,
  comments_policy smallint not null default 1 check (comments_policy in (1, 2, 3)),
  embed_privacy_policy smallint not null default 1,
  views integer not null default 0,
  likes integer not null default 0,
  dislikes integer not null default 0,
  comments integer not null default 0,
  downloads integer not null default 0,
  input_file_updated_at timestamptz,
  originally_published_at timestamptz,
  published_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  listed boolean not null default false
);
create index video_account on video (account_id);
create index video_channel_videos on video (channel_id);

create table video_blacklist (
  id integer generated always as identity primary key,
  video_id integer not null unique references video (id) on delete cascade,
  type smallint not null default 1,
  reason text,
  internal_note text,
  unfederated boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table tag (
  id integer generated always as identity primary key,
  name citext not null unique
);
create table video_tag (
  video_id integer not null references video (id) on delete cascade,
  tag_id integer not null references tag (id) on delete cascade,
  primary key (video_id, tag_id)
);
create index video_tag_tag on video_tag (tag_id);

create table video_schedule_update (
  video_id integer primary key references video (id) on delete cascade,
  update_at timestamptz not null,
  privacy smallint check (privacy between 1 and 5)
);
create index video_schedule_due on video_schedule_update (update_at);

create table video_password (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  password text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (video_id, password)
);

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
  updated_at timestamptz not null default now()
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

create table user_video_history (
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  current_time_seconds integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, video_id)
);

-- The visibility rule of public lists.
create function video_is_listed(state smallint, privacy smallint, blacklisted boolean)
returns boolean language sql immutable as $$ select state = 1 and privacy = 1 and not blacklisted $$;

create function video_set_listed() returns trigger language plpgsql as $$
begin
  new.listed := video_is_listed(
    new.state, new.privacy,
    exists (select 1 from video_blacklist b where b.video_id = new.id)
  );
  return new;
end $$;
create trigger video_listed before insert or update of state, privacy on video
  for each row execute function video_set_listed();

create function blacklist_set_listed() returns trigger language plpgsql as $$
declare target integer := coalesce(new.video_id, old.video_id);
begin
  update video v set listed = video_is_listed(
    v.state, v.privacy, exists (select 1 from video_blacklist b where b.video_id = v.id)
  ) where v.id = target;
  return null;
end $$;
create trigger video_blacklist_listed after insert or delete on video_blacklist
  for each row execute function blacklist_set_listed();
`
