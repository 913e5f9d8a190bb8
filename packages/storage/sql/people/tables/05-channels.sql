-- Collaborators of channels, what was done in a channel, and changes of owner.

-- Who besides its owner works on a channel: 1 invited, 2 accepted, 3 declined.
create table video_channel_collaborator (
  id integer generated always as identity primary key,
  channel_id integer not null references video_channel (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  state smallint not null default 1 check (state in (1, 2, 3)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (channel_id, account_id)
);
create index video_channel_collaborator_account on video_channel_collaborator (account_id, state);

-- What was done in a channel, by whom. target holds what the thing was called then: it may be gone when this is read.
create table channel_activity (
  id integer generated always as identity primary key,
  channel_id integer not null references video_channel (id) on delete cascade,
  account_id integer references account (id) on delete set null,
  action smallint not null check (action between 1 and 16),
  target_type smallint not null check (target_type between 1 and 5),
  target jsonb not null default '{}',
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index channel_activity_channel on channel_activity (channel_id, created_at desc, id desc);
create index channel_activity_account on channel_activity (account_id);

-- Requests to take over a video or a channel: 1 pending, 2 rejected, 3 accepted.
create table ownership_change (
  id integer generated always as identity primary key,
  state smallint not null default 1 check (state in (1, 2, 3)),
  initiator_account_id integer not null references account (id) on delete cascade,
  next_owner_account_id integer not null references account (id) on delete cascade,
  video_id integer,
  channel_id integer references video_channel (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((video_id is null) <> (channel_id is null))
);
create unique index ownership_change_video on ownership_change (video_id) where state = 1;
create unique index ownership_change_channel on ownership_change (channel_id) where state = 1;
create index ownership_change_next_owner on ownership_change (next_owner_account_id, created_at desc);
create index ownership_change_of_video on ownership_change (video_id, created_at desc);
create index ownership_change_of_channel on ownership_change (channel_id, created_at desc);
create index ownership_change_initiator on ownership_change (initiator_account_id);
