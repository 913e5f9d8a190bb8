/** Refresh tokens that were used, by which their second use is noticed, and registrations by mail address for logins. */
export const M0008Sessions = `
create table oauth_refresh_used (
  hash bytea primary key,
  token_id integer not null references oauth_token (id) on delete cascade,
  used_at timestamptz not null default now(),
  -- When the token would have ended had nobody used it: after that nothing is kept of it.
  expires_at timestamptz not null
);
create index oauth_refresh_used_token on oauth_refresh_used (token_id);
create index oauth_refresh_used_expiry on oauth_refresh_used (expires_at);

create index user_registration_known_email on user_registration (email, created_at desc);
`
