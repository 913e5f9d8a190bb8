-- Videos, and what decides who may see them.
--
-- The visibility rule stands once, in `video_is_listed`: published, public, not blacklisted. Triggers keep `listed` and
-- `visible`, which is 2 for what everybody may list, 1 for what users of this instance may (internal videos), 0
-- otherwise, and -1 for videos of others that nobody here follows.

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
  listed boolean not null default false,
  visible smallint not null default 0,
  server_id integer references server (id) on delete cascade,
  hot_score real not null default 0,
  -- False: chapters are read from the description, else from the file.
  chapters_by_hand boolean not null default false,
  player_theme text not null default 'channel-default'
    check (player_theme in ('channel-default', 'instance-default', 'galaxy', 'lucide')),
  -- Views of the last days, as many as the configuration says: see refresh_trends.
  trend_views integer not null default 0,
  -- What the files of a video come to, kept by triggers on these. Sizes are of local videos only.
  has_hls boolean not null default false,
  has_web_videos boolean not null default false,
  local_files_size bigint not null default 0,
  -- Whether its followers were notified of it: once, when it first comes to be seen.
  announced boolean not null default false
);
create index video_unfollowed on video (server_id, id) where visible < 0;
create index video_unfollowed_channel on video (channel_id, published_at desc, id desc) where visible < 0;
create index video_unfollowed_account on video (account_id, published_at desc, id desc) where visible < 0;

-- Of tables that come before this one.
alter table job add foreign key (video_id) references video (id) on delete cascade;
alter table ownership_change add foreign key (video_id) references video (id) on delete cascade;

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
create index video_tag_tag on video_tag (tag_id, video_id);

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

-- Hosts, in lower case and with their port where they have one, whose pages may show the video in a frame.
create table video_embed_domain (
  video_id integer not null references video (id) on delete cascade,
  domain text not null,
  primary key (video_id, domain)
);

-- What rules of an account found in a video, such as words it watches for; the instance's are those of its own account.
create table video_automatic_tag (
  video_id integer not null references video (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  name citext not null,
  primary key (account_id, name, video_id)
);
create index video_automatic_tag_video on video_automatic_tag (video_id);
