-- Settings of the instance.

create table instance_setting (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
