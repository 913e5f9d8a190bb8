-- Instances, actors and their pictures.
--
-- An actor is what other instances see: a key pair and a set of URLs. Accounts and channels each own exactly one.
-- `server_id` is null for local actors. `actor_wire` holds the answer about an account or channel as JSON text; null
-- means "made anew when read".

create table server (
  id integer generated always as identity primary key,
  host citext not null unique,
  redundancy_allowed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- As its NodeInfo says; asked of those that follow channels of ours.
  software text,
  software_asked_at timestamptz
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
  -- FEP-5feb, and the flag of directories of profiles.
  indexable boolean not null default true,
  discoverable boolean not null default true,
  check ((server_id is null) = (private_key is not null))
);
create unique index actor_local_name on actor (preferred_username) where server_id is null;
create index actor_server on actor (server_id);
-- What answers have as createdAt: for an actor of another instance, when it was made there.
create index actor_people_created on actor (coalesce(remote_created_at, created_at) desc, id desc) where type = 'Person';
create index actor_groups_created on actor (coalesce(remote_created_at, created_at) desc, id desc) where type = 'Group';
create index actor_groups_name on actor (preferred_username, id) where type = 'Group';
-- Handles are looked up by name first: those of this instance and those of others have an index each, which a lookup
-- for either cannot use.
create index actor_name on actor (preferred_username);
-- Elsewhere accounts and groups may have the same names.
create unique index actor_remote_name on actor (preferred_username, server_id, (type = 'Group')) where server_id is not null;
create index actor_applications on actor (server_id) where type = 'Application';

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

create table actor_wire (
  actor_id integer primary key references actor (id) on delete cascade,
  wire text
);
create index actor_wire_missing on actor_wire (actor_id) where wire is null;

-- A second key of each local actor (FEP-521a), kept as the first is. Beside its row: what is made of that stays as it
-- is when the key comes later.
create table actor_multikey (
  actor_id integer primary key references actor (id) on delete cascade,
  -- Ed25519.
  multibase text not null unique,
  -- PKCS #8, PEM.
  private_key text not null,
  created_at timestamptz not null default now()
);
