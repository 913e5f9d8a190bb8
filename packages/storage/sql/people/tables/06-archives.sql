-- Archives of users: what they asked for of their data, and what they brought from elsewhere.
--
-- The archives lie in the object store as `<uuid>.zip`; whatever deletes the row of one sends its file after it.

-- 1 pending, 2 processing, 3 completed, 4 failed
create table user_export (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  user_id integer not null references app_user (id) on delete cascade,
  with_video_files boolean not null,
  state smallint not null default 1 check (state between 1 and 4),
  size bigint check (size >= 0),
  error text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (state <> 3 or (size is not null and expires_at is not null))
);
-- A user has one archive, or one on its way; those that failed do not count.
create unique index user_export_one on user_export (user_id) where state <> 4;
create index user_export_user on user_export (user_id, created_at desc, id desc);
create index user_export_open on user_export (id) where state in (1, 2);
create index user_export_expiry on user_export (expires_at) where expires_at is not null;

-- States as above. summary: what became of each section. upload_id: the upload its archive arrived by.
create table user_import (
  id integer generated always as identity primary key,
  uuid uuid not null unique,
  user_id integer not null references app_user (id) on delete cascade,
  upload_id text,
  filename text not null,
  size bigint not null check (size >= 0),
  state smallint not null default 1 check (state between 1 and 4),
  summary jsonb not null default '{}',
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index user_import_one on user_import (user_id) where state in (1, 2);
create index user_import_user on user_import (user_id, id desc);
create index user_import_open on user_import (id) where state in (1, 2);

-- What imports have made: source is the digest of what the thing was called in the archive, so that nothing is made a
-- second time, and what names it there is understood here. target_id: the row it became, where it became one.
create table user_import_item (
  user_id integer not null references app_user (id) on delete cascade,
  import_id integer not null,
  section text not null,
  source text not null,
  target_id integer,
  created_at timestamptz not null default now(),
  primary key (user_id, section, source)
);
