-- Accounts, channels, and whom an account has blocked.

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
  updated_at timestamptz not null default now(),
  player_theme text not null default 'instance-default'
    check (player_theme in ('instance-default', 'galaxy', 'lucide'))
);
create index video_channel_account on video_channel (account_id);

create table account_block (
  account_id integer not null references account (id) on delete cascade,
  target_account_id integer not null references account (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index account_block_target on account_block (target_account_id);

create table server_block (
  account_id integer not null references account (id) on delete cascade,
  server_id integer not null references server (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, server_id)
);
