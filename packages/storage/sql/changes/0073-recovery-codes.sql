-- Codes with which a user logs in, once each, when the authenticator is away. Digests alone are kept: the codes are random and long.
create table two_factor_recovery_code (
  user_id integer not null references app_user (id) on delete cascade,
  hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (user_id, hash)
);
