-- Work that must survive a crash: jobs with leases, and what they wait for.

-- One board for all work. A job is claimed with FOR UPDATE SKIP LOCKED and held by a lease: lease_token names the
-- attempt, so a worker whose lease was lost cannot report on a job that another one holds now.
create table job (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  type text not null,
  payload jsonb not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'waiting-children', 'active', 'delayed', 'completed', 'failed', 'cancelled')),
  priority integer not null default 100,
  video_id integer,
  dedupe_key text,
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  max_attempts integer not null default 5 check (max_attempts > 0),
  lease_owner text,
  lease_token uuid,
  lease_until timestamptz,
  progress smallint check (progress between 0 and 100),
  result jsonb,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((state = 'active') = (lease_token is not null))
);
create unique index job_dedupe on job (dedupe_key) where state not in ('completed', 'failed', 'cancelled');
create index job_claimable on job (priority, run_at, id) where state in ('waiting', 'delayed');
create index job_lease on job (lease_until) where state = 'active';
create index job_state on job (state, created_at desc);
create index job_video on job (video_id);

create table job_dependency (
  job_id integer not null references job (id) on delete cascade,
  depends_on integer not null references job (id) on delete cascade,
  primary key (job_id, depends_on)
);
create index job_dependency_on on job_dependency (depends_on);

-- While its one row is there, no job is given to anybody, here or elsewhere.
create table job_pause (
  only_one boolean primary key default true check (only_one),
  created_at timestamptz not null default now()
);
