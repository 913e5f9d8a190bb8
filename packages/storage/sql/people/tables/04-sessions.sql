-- Clients, and the tokens of sessions.

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
create index oauth_token_session on oauth_token (user_id, created_at desc);

-- Refresh tokens that were used, by which their second use is noticed.
create table oauth_refresh_used (
  hash bytea primary key,
  token_id integer not null references oauth_token (id) on delete cascade,
  used_at timestamptz not null default now(),
  -- When the token would have ended had nobody used it: after that nothing is kept of it.
  expires_at timestamptz not null
);
create index oauth_refresh_used_token on oauth_refresh_used (token_id);
create index oauth_refresh_used_expiry on oauth_refresh_used (expires_at);
