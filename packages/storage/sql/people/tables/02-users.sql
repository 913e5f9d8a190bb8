-- Users of this instance, their registrations and their one-time links.

create table app_user (
  id integer generated always as identity primary key,
  username citext not null unique check (username ~ '^[a-z0-9._]{1,50}$'),
  email citext not null unique,
  pending_email citext,
  email_verified boolean,
  password_hash text not null,
  role smallint not null check (role in (0, 1, 2)),
  admin_flags integer not null default 0,
  blocked boolean not null default false,
  blocked_reason text,
  video_quota bigint not null default -1 check (video_quota >= -1),
  video_quota_daily bigint not null default -1 check (video_quota_daily >= -1),
  preferences jsonb not null default '{}',
  notification_settings jsonb not null default '{}',
  plugin_auth text,
  otp_secret text,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The token of private feeds: sealed because it is shown again, and its digest to find the user by.
  feed_token text,
  feed_token_hash bytea unique,
  -- The time step of the last one-time code that was accepted: no code is accepted twice.
  otp_last_step bigint
);
create index app_user_created on app_user (created_at desc, id desc);

create table user_registration (
  id integer generated always as identity primary key,
  state smallint not null default 1 check (state in (1, 2, 3)),
  username citext not null check (username ~ '^[a-z0-9._]{1,50}$'),
  email citext not null,
  email_verified boolean,
  -- Null once it was accepted: the hash is the user's then. Who was rejected learns it after the right password only.
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
create index user_registration_known_email on user_registration (email, created_at desc);

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
