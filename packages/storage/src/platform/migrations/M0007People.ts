/**
 * Everyone who uses the instance: registrations, one-time links, two factors, collaborators of channels, what was done in
 * a channel, changes of owner; and the places of ratings, imports and synchronisations.
 */
export const M0007People = `
alter table app_user
  drop column feed_token,
  -- The token of private feeds: sealed because it is told again, and its digest to find the user by.
  add column feed_token text,
  add column feed_token_hash bytea unique,
  -- The time step of the last one-time code that was accepted: no code is accepted twice.
  add column otp_last_step bigint;

create table user_registration (
  id integer generated always as identity primary key,
  state smallint not null default 1 check (state in (1, 2, 3)),
  username citext not null check (username ~ '^[a-z0-9._]{1,50}$'),
  email citext not null,
  email_verified boolean,
  -- Null once it was accepted: the hash is the user's then. Who was rejected is told so after the right password only.
  password_hash text,
  registration_reason text not null,
  moderation_response text,
  account_display_name text,
  channel_handle citext,
  channel_display_name text,
  user_id integer references app_user (id) on delete set null,
  processed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state <> 3 or password_hash is null)
);
create unique index user_registration_username on user_registration (username) where state = 1;
create unique index user_registration_email on user_registration (email) where state = 1;
create unique index user_registration_channel on user_registration (channel_handle) where state = 1;
create index user_registration_list on user_registration (created_at desc, id desc);
create index user_registration_known on user_registration (username, created_at desc);
create index user_registration_user on user_registration (user_id);

-- Links and tokens that work once, stored as SHA-256 digests, for one user or one registration and one purpose.
create table one_time_token (
  hash bytea primary key,
  purpose text not null check (purpose in (
    'verify-email', 'change-email', 'verify-registration', 'reset-password', 'create-password', 'two-factor'
  )),
  user_id integer references app_user (id) on delete cascade,
  registration_id integer references user_registration (id) on delete cascade,
  payload jsonb not null default 'null',
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (registration_id is null))
);
create index one_time_token_user on one_time_token (user_id, purpose);
create index one_time_token_registration on one_time_token (registration_id, purpose);
create index one_time_token_expiry on one_time_token (expires_at);

create index app_user_created on app_user (created_at desc, id desc);
create index oauth_token_session on oauth_token (user_id, created_at desc);

-- Nodes keep what a token says until they are told on the channel "session": the payload is the user's id.
create function session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session', case when tg_op = 'DELETE' then old.user_id else new.user_id end::text);
  return null;
end $$;
create trigger session_ended after delete on oauth_token for each row execute function session_changed();
create trigger session_renewed after update of access_token_hash on oauth_token for each row
  when (old.access_token_hash <> new.access_token_hash) execute function session_changed();

create function session_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session', old.id::text);
  return null;
end $$;
create trigger session_user_changed
  after update of role, admin_flags, blocked, username, video_quota, video_quota_daily, preferences
  on app_user for each row when (
    (old.role, old.admin_flags, old.blocked, old.username, old.video_quota, old.video_quota_daily, old.preferences)
      is distinct from
    (new.role, new.admin_flags, new.blocked, new.username, new.video_quota, new.video_quota_daily, new.preferences)
  ) execute function session_user_changed();

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

-- Requests to take over a video or a channel: 1 pending, 2 rejected, 3 accepted.
create table ownership_change (
  id integer generated always as identity primary key,
  state smallint not null default 1 check (state in (1, 2, 3)),
  initiator_account_id integer not null references account (id) on delete cascade,
  next_owner_account_id integer not null references account (id) on delete cascade,
  video_id integer references video (id) on delete cascade,
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

create table account_video_rate (
  account_id integer not null references account (id) on delete cascade,
  video_id integer not null references video (id) on delete cascade,
  type text not null check (type in ('like', 'dislike')),
  url text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, video_id)
);
create index account_video_rate_video on account_video_rate (video_id, type);

-- 1 waiting for its first run, 2 running, 3 up to date, 4 failed
create table video_channel_sync (
  id integer generated always as identity primary key,
  channel_id integer not null references video_channel (id) on delete cascade,
  external_channel_url text not null,
  state smallint not null default 1 check (state between 1 and 4),
  video_privacy smallint not null default 1 check (video_privacy between 1 and 4),
  last_sync_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index video_channel_sync_channel on video_channel_sync (channel_id);

-- 1 pending, 2 done, 3 failed, 4 rejected, 5 cancelled, 6 running
create table video_import (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer references video (id) on delete set null,
  channel_sync_id integer references video_channel_sync (id) on delete set null,
  target_url text,
  magnet_uri text,
  torrent_name text,
  state smallint not null default 1 check (state between 1 and 6),
  error text,
  attempts integer not null default 0,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index video_import_user on video_import (user_id, created_at desc);
create index video_import_video on video_import (video_id);
`
