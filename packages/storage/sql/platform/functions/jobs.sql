-- Leases of jobs, and what waits for other jobs.

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

-- A job has ended, or one is not waited for any more.
create function job_dependency_over() returns trigger language plpgsql as $$
declare
  dependant integer;
begin
  if tg_table_name = 'job_dependency' then
    perform job_release(old.job_id);
  else
    for dependant in select job_id from job_dependency where depends_on = new.id order by job_id loop
      perform job_release(dependant);
    end loop;
  end if;
  return null;
end $$;

-- Workers listen on the channel "job"; the payload is the type. Sent when the transaction commits.
create function job_claimable() returns trigger language plpgsql as $$
begin
  perform pg_notify('job', new.type);
  return null;
end $$;

create function job_pause_over() returns trigger language plpgsql as $$
begin
  -- Jobs of runners wait from now on: the pause gives the instance no right to take them first.
  update runner_job set updated_at = now() where state = 1;
  perform pg_notify('job', '');
  perform pg_notify('runner_job', '');
  return null;
end $$;
