/**
 * Work that must survive a crash: uploads in progress, jobs with leases, files to delete, activities and deliveries.
 */
export const M0004Work = `
-- A resumable upload. received counts bytes that are on disk and acknowledged.
create table upload_session (
  id text primary key,
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer references video (id) on delete cascade,
  kind text not null default 'video' check (kind in ('video', 'replace', 'user-import')),
  filename text not null,
  content_type text not null,
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received >= 0 and received <= size),
  metadata jsonb not null,
  state text not null default 'open' check (state in ('open', 'finishing', 'done')),
  result jsonb,
  result_video_id integer references video (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index upload_session_user on upload_session (user_id) where state = 'open';
create index upload_session_expiry on upload_session (expires_at);

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
  video_id integer references video (id) on delete cascade,
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

-- Lets a job go once all it waits for is completed, and fails it once one of them is not going to be. Its row is locked
-- first, and looked at by a later statement, so that two dependencies that end at once do not overlook each other.
create function job_release(target integer) returns void language plpgsql as $$
declare
  lost integer;
begin
  perform 1 from job where id = target and state = 'waiting-children' for update;
  if not found then return; end if;
  select d.depends_on into lost from job_dependency d join job j on j.id = d.depends_on
    where d.job_id = target and j.state in ('failed', 'cancelled') order by d.depends_on limit 1;
  if lost is not null then
    update job set state = 'failed', error = format('Job %s, which this one waited for, did not complete', lost),
      finished_at = now(), updated_at = now() where id = target;
  elsif not exists (
    select 1 from job_dependency d join job j on j.id = d.depends_on where d.job_id = target and j.state <> 'completed'
  ) then
    update job set state = case when run_at > now() then 'delayed' else 'waiting' end, updated_at = now()
      where id = target;
  end if;
end $$;

create function job_ended() returns trigger language plpgsql as $$
declare
  dependant integer;
begin
  for dependant in select job_id from job_dependency where depends_on = new.id order by job_id loop
    perform job_release(dependant);
  end loop;
  return null;
end $$;
create trigger job_ended after update of state on job for each row
  when (old.state <> new.state and new.state in ('completed', 'failed', 'cancelled')) execute function job_ended();

create function job_dependency_gone() returns trigger language plpgsql as $$
begin
  perform job_release(old.job_id);
  return null;
end $$;
create trigger job_dependency_gone after delete on job_dependency for each row execute function job_dependency_gone();

-- Workers listen on the channel "job"; the payload is the type. Sent when the transaction commits.
create function job_claimable() returns trigger language plpgsql as $$
begin
  perform pg_notify('job', new.type);
  return null;
end $$;
create trigger job_claimable_new after insert on job for each row
  when (new.state = 'waiting') execute function job_claimable();
create trigger job_claimable_again after update of state on job for each row
  when (old.state <> new.state and new.state = 'waiting') execute function job_claimable();

-- Objects to remove after the transaction that made them unreachable; not_before leaves time to running players.
create table object_removal (
  id integer generated always as identity primary key,
  bucket text not null,
  name text not null,
  not_before timestamptz not null default now(),
  attempts integer not null default 0,
  created_at timestamptz not null default now()
);
create index object_removal_due on object_removal (not_before);

create table actor_follow (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  target_actor_id integer not null references actor (id) on delete cascade,
  state text not null check (state in ('pending', 'accepted', 'rejected')),
  score integer not null default 1000,
  url text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (actor_id, target_actor_id)
);
create index actor_follow_target on actor_follow (target_actor_id, state);

-- What we said, and to whom it must still be told: one row a distinct (shared) inbox.
create table activity (
  id bigint generated always as identity primary key,
  uri text not null unique,
  type text not null,
  actor_id integer not null references actor (id) on delete cascade,
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index activity_actor on activity (actor_id, id desc);

create table delivery (
  id bigint generated always as identity primary key,
  activity_id bigint not null references activity (id) on delete cascade,
  inbox_url text not null,
  host citext not null,
  lane smallint not null default 1,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  unique (activity_id, inbox_url)
);
create index delivery_host on delivery (host, lane, id);
create index delivery_due on delivery (next_attempt_at);

-- What we were told, in the order of its coming; applied by the sending host's inbox actor.
create table inbox_activity (
  id bigint generated always as identity primary key,
  uri text not null unique,
  host citext not null,
  actor_url text not null,
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'applied', 'refused')),
  error text,
  received_at timestamptz not null default now(),
  processed_at timestamptz
);
create index inbox_activity_waiting on inbox_activity (host, id) where state = 'waiting';
`
