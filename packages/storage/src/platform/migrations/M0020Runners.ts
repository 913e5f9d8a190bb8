/**
 * Programs elsewhere that work for the instance, and their jobs (contract: runner-protocol.json).
 *
 * Tokens are kept as SHA-256; a registration token, which administrators read again, is sealed besides. A job is held by
 * the runner and the job token of its last acceptance: both stay when the job is taken away, so that who held it is told
 * so, and go with the next acceptance.
 */
export const M0020Runners = `
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
  updated_at timestamptz not null default now()
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
  check ((state in (2, 9)) = (lease_until is not null))
);
create index runner_job_claimable on runner_job (priority, id) where state = 1;
create index runner_job_lease on runner_job (lease_until) where state in (2, 9);
create index runner_job_parent on runner_job (parent_id) where parent_id is not null;
create index runner_job_ladder on runner_job (job_id) where job_id is not null;
create index runner_job_video on runner_job (video_id);
create index runner_job_runner on runner_job (runner_id) where runner_id is not null;
create index runner_job_created on runner_job (created_at desc, id desc);

-- Ends what waits for a job that will not complete, down to the last generation.
create function runner_job_orphan(target integer, became smallint) returns void language sql as $$
  with recursive below as (
    select c.id from runner_job c where c.parent_id = target
    union all
    select c.id from runner_job c join below b on c.parent_id = b.id
  )
  update runner_job set state = became, finished_at = now(), updated_at = now()
    where id in (select id from below) and state = 5
$$;

-- Locks the job of the board that waits for a runner job. To be called before the runner job is ended: whoever gives up a
-- ladder locks them in this order too.
create function runner_ladder_lock(target integer) returns void language sql as $$
  select 1 from job where id = (select job_id from runner_job where id = target) for update
$$;

-- Takes a job from whoever holds it: back to the board, or errored when it failed too often or cannot be begun again.
-- Answers its state; null when nobody held it, or another than who is named, or when it was to be late and is not.
create function runner_job_back(
  target integer, holder bytea, failed boolean, words text, most_failures integer, late boolean default false
) returns smallint language plpgsql as $$
declare
  held runner_job;
  ends boolean;
begin
  perform runner_ladder_lock(target);
  select * into held from runner_job where id = target and state in (2, 9)
    and (holder is null or token_hash = holder) and (not late or lease_until < now()) for update;
  if not found then return null; end if;
  ends := held.type = 'live-rtmp-hls-transcoding' or (failed and held.failures + 1 >= most_failures);
  update runner_job set
    state = case when ends then 4 else 1 end,
    failures = failures + case when failed or ends then 1 else 0 end,
    error = coalesce(words, error),
    progress = null, lease_until = null,
    started_at = case when ends then started_at end,
    finished_at = case when ends then now() end,
    updated_at = now()
    where id = target;
  if ends then perform runner_job_orphan(target, 7::smallint); end if;
  return case when ends then 4 else 1 end;
end $$;

-- Whoever tells runners that there is work listens on the channel "runner_job"; the payload is empty, or the id of a
-- runner that is gone. Sent when the transaction commits.
create function runner_job_claimable() returns trigger language plpgsql as $$
begin
  perform pg_notify('runner_job', '');
  return null;
end $$;
create trigger runner_job_claimable_new after insert on runner_job for each row
  when (new.state = 1) execute function runner_job_claimable();
create trigger runner_job_claimable_again after update of state on runner_job for each row
  when (old.state <> new.state and new.state = 1) execute function runner_job_claimable();

-- Lets the job that waits for runners go once all of them have ended, well or not. Its row is locked first, and the others
-- looked at by a later statement, so that two that end at once do not overlook each other. Without a rendition there is no
-- ladder: the others are given up, except one that somebody is just changing, which ends by itself.
create function runner_ladder_over() returns trigger language plpgsql as $$
begin
  perform 1 from job where id = old.job_id and state = 'waiting-children' for update;
  if not found then return null; end if;
  if old.type <> 'generate-video-storyboard' and (tg_op = 'DELETE' or new.state <> 3) then
    update runner_job set state = 6, lease_until = null, finished_at = now(), updated_at = now()
      where id in (
        select id from runner_job where job_id = old.job_id and state in (1, 2, 5) order by id for update skip locked
      );
  end if;
  if not exists (select 1 from runner_job where job_id = old.job_id and state in (1, 2, 5, 9)) then
    update job set state = 'waiting', run_at = now(), updated_at = now()
      where id = old.job_id and state = 'waiting-children';
  end if;
  return null;
end $$;
create trigger runner_ladder_over after update of state on runner_job for each row
  when (old.job_id is not null and old.state <> new.state and new.state in (3, 4, 6, 7, 8))
  execute function runner_ladder_over();
create trigger runner_ladder_less after delete on runner_job for each row
  when (old.job_id is not null) execute function runner_ladder_over();

-- A job that is given up is not worked on by runners either.
create function runner_ladder_dropped() returns trigger language plpgsql as $$
begin
  update runner_job set state = 6, lease_until = null, finished_at = now(), updated_at = now()
    where job_id = new.id and state in (1, 2, 5, 9);
  return null;
end $$;
create trigger runner_ladder_dropped after update of state on job for each row
  when (old.state <> new.state and new.state in ('failed', 'cancelled')) execute function runner_ladder_dropped();

-- The jobs of a runner that goes are given back; those of a registration token go with its runners.
create function runner_gone() returns trigger language plpgsql as $$
declare
  held integer;
begin
  for held in select id from runner_job where runner_id = old.id and state = 2 order by id loop
    perform runner_job_back(held, null, false, null, 0);
  end loop;
  perform pg_notify('runner_job', old.id::text);
  return old;
end $$;
create trigger runner_gone before delete on runner for each row execute function runner_gone();
`
