-- What accounts think of videos.

create table account_video_rate (
  account_id integer not null references account (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  type text not null check (type in ('like', 'dislike')),
  url text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, video_id)
);
create index account_video_rate_video on account_video_rate (video_id, type, account_id);
