-- Ladders that are divided into jobs of runners.

-- Lets the job that waits for runners go once all of them have ended, well or not. Its row is locked first, and the
-- others looked at by a later statement, so that two that end at once do not overlook each other. Without a rendition
-- there is no ladder: the others are given up, except one that somebody is just changing, which ends by itself.
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

-- A job that is given up is not worked on by runners either.
create function runner_ladder_dropped() returns trigger language plpgsql as $$
begin
  update runner_job set state = 6, lease_until = null, finished_at = now(), updated_at = now()
    where job_id = new.id and state in (1, 2, 5, 9);
  return null;
end $$;

create function runner_ladder_progress() returns trigger language plpgsql as $$
begin
  update job set progress = (
      select least(99, 100 * count(*) filter (where state = 3) / count(*)) from runner_job where job_id = new.job_id
    ), updated_at = now()
    where id = new.job_id and state = 'waiting-children';
  return null;
end $$;
