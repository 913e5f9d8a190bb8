-- Programs elsewhere that work for the instance, and their jobs (contract: runner-protocol.json).
--
-- Tokens are kept as SHA-256; a registration token, which administrators read again, is sealed besides. A job is held
-- by the runner and the job token of its last acceptance: both stay when the job is taken away, so that who held it
-- learns of it, and go with the next acceptance.

create table runner_registration_token (
  id integer generated always as identity primary key,
  token_hash bytea not null unique,
  sealed text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table runner (
  id integer generated always as identity primary key,
  registration_token_id integer not null references runner_registration_token (id) on delete cascade,
  token_hash bytea not null unique,
  name text not null,
  description text,
  version text,
  ip text not null,
  last_contact timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Kinds of work it named when it last asked for some: parts of a video are made for those alone that name them.
  job_types text[]
);
create unique index runner_name on runner (lower(name));
create index runner_registration on runner (registration_token_id);

-- States are those of the contract: 1 pending, 2 processing, 3 completed, 4 errored, 5 waiting for its parent,
-- 6 cancelled, 7 parent errored, 8 parent cancelled, 9 completing.
create table runner_job (
  id integer generated always as identity primary key,
  uuid uuid not null unique default gen_random_uuid(),
  type text not null,
  state smallint not null check (state between 1 and 9),
  priority integer not null,
  payload jsonb not null,
  private_payload jsonb not null,
  video_id integer references video (id) on delete cascade,
  parent_id integer references runner_job (id) on delete cascade,
  -- The job of the board that waits for this one, and the folder of its result.
  job_id integer references job (id) on delete cascade,
  result text,
  progress smallint check (progress between 0 and 100),
  accepted integer not null default 0,
  failures integer not null default 0,
  error text,
  runner_id integer references runner (id) on delete set null,
  token_hash bytea,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- The node that holds the job or held it last, by its name; null when it is a runner.
  node text,
  check ((state in (2, 9)) = (lease_until is not null))
);
create index runner_job_claimable on runner_job (priority, id) where state = 1;
create index runner_job_lease on runner_job (lease_until) where state in (2, 9);
create index runner_job_parent on runner_job (parent_id) where parent_id is not null;
create index runner_job_ladder on runner_job (job_id) where job_id is not null;
create index runner_job_video on runner_job (video_id);
create index runner_job_runner on runner_job (runner_id) where runner_id is not null;
create index runner_job_created on runner_job (created_at desc, id desc);
create index runner_job_node on runner_job (node) where state = 2 and node is not null;
