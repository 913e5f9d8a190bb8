/**
 * Kinds of work that runners name when they ask for some: parts of a video are made for those alone that name them. A ladder
 * that waits for runners is as far as its jobs are.
 */
export const M0024RunnerTypes = `
alter table runner add column job_types text[];

create function runner_ladder_progress() returns trigger language plpgsql as $$
begin
  update job set progress = (
      select least(99, 100 * count(*) filter (where state = 3) / count(*)) from runner_job where job_id = new.job_id
    ), updated_at = now()
    where id = new.job_id and state = 'waiting-children';
  return null;
end $$;
-- By its name it fires before the one that lets the ladder go.
create trigger runner_ladder_done after update of state on runner_job for each row
  when (new.job_id is not null and old.state <> new.state and new.state = 3) execute function runner_ladder_progress();
`
