/**
 * Instances, actors, accounts, channels and the users of this instance.
 *
 * An actor is what other instances see: a key pair and a set of URLs. Accounts and channels each own exactly one.
 * `server_id` is null for local actors.
 */
export const M0001Actors = `
create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table instance_setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table server (
  id integer generated always as identity primary key,
  host citext not null unique,
  redundancy_allowed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table actor (
  id integer generated always as identity primary key,
  type text not null check (type in ('Person', 'Group', 'Application', 'Service', 'Organization')),
  preferred_username citext not null,
  server_id integer references server (id) on delete cascade,
  url text not null unique,
  inbox_url text not null,
  outbox_url text,
  shared_inbox_url text,
  followers_url text,
  following_url text,
  playlists_url text,
  public_key text not null,
  private_key text,
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  remote_created_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((server_id is null) = (private_key is not null))
);
create unique index actor_local_name on actor (preferred_username) where server_id is null;
create unique index actor_remote_name on actor (preferred_username, server_id) where server_id is not null;
create index actor_server on actor (server_id);

create table actor_image (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  type smallint not null check (type in (1, 2)),
  filename text not null unique,
  width integer not null,
  height integer not null,
  remote_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index actor_image_actor on actor_image (actor_id, type, width desc);

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
  feed_token uuid not null default gen_random_uuid(),
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table account (
  id integer generated always as identity primary key,
  actor_id integer not null unique references actor (id) on delete cascade,
  user_id integer unique references app_user (id) on delete cascade,
  display_name text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table video_channel (
  id integer generated always as identity primary key,
  actor_id integer not null unique references actor (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  display_name text not null,
  description text,
  support text,
  public_email text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index video_channel_account on video_channel (account_id);

-- An account or channel takes its actor with it.
create function delete_orphan_actor() returns trigger language plpgsql as $$
begin
  delete from actor where id = old.actor_id;
  return null;
end $$;
create trigger account_actor after delete on account for each row execute function delete_orphan_actor();
create trigger video_channel_actor after delete on video_channel for each row execute function delete_orphan_actor();

create table oauth_client (
  id integer generated always as identity primary key,
  client_id text not null unique check (client_id ~ '^[a-z0-9]{32}$'),
  client_secret text not null check (client_secret ~ '^[a-zA-Z0-9]{32}$'),
  grants text[] not null,
  created_at timestamptz not null default now()
);

-- Tokens are stored as SHA-256 digests: they are random and long, so a slow hash would add nothing.
create table oauth_token (
  id integer generated always as identity primary key,
  access_token_hash bytea not null unique,
  access_expires_at timestamptz not null,
  refresh_token_hash bytea not null unique,
  refresh_expires_at timestamptz not null,
  oauth_client_id integer not null references oauth_client (id) on delete cascade,
  user_id integer not null references app_user (id) on delete cascade,
  auth_name text,
  login_device text,
  login_ip text,
  login_at timestamptz not null default now(),
  last_activity_device text,
  last_activity_ip text,
  last_activity_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index oauth_token_user on oauth_token (user_id);
create index oauth_token_refresh_expiry on oauth_token (refresh_expires_at);

create table account_block (
  account_id integer not null references account (id) on delete cascade,
  target_account_id integer not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create table server_block (
  account_id integer not null references account (id) on delete cascade,
  server_id integer not null references server (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, server_id)
);
`
