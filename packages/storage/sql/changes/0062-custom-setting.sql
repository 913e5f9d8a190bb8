-- Settings that administrators change while the instance runs: keys of the configuration, in the form of its file. They
-- stand above the file and below the environment.
create table custom_setting (
  path text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- What administrators, moderators and the operator's commands did. Entries are added in the transaction of the act, and never
-- changed. `username` outlives its user; null names the operator's shell.
create table audit_entry (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  username text,
  -- What it was about, such as `settings`, `user`, `abuse`, and what was done: `update`, `block`.
  domain text not null,
  action text not null,
  target jsonb,
  before jsonb,
  after jsonb
);
create index audit_entry_created on audit_entry (created_at);
