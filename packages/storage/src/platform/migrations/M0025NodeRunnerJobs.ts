/**
 * Nodes that do jobs of runners themselves: the name of the node that holds a job or held it last, null when it is a runner.
 * Like runner and token it stays when the job is taken away, and goes with the next acceptance.
 *
 * A job that ended badly can be begun again, by itself or with the ladder that failed because of it.
 */
export const M0025NodeRunnerJobs = `
alter table runner_job add column node text;
create index runner_job_node on runner_job (node) where state = 2 and node is not null;

-- Begins a job again that failed, was cancelled or ended with its parent: with all of its failures forgotten. A ladder that
-- has failed waits for it again, and for those that ended with it; what was done stays done. Answers 'retried', 'missing',
-- 'not ended', or 'outdated' when nobody waits for it any more, or what was cut out for its parts is gone: after a day.
create function runner_job_retry(target integer) returns text language plpgsql as $$
declare
  ended runner_job;
  ladder job;
begin
  perform 1 from video where id = (select video_id from runner_job where id = target) for update;
  perform runner_ladder_lock(target);
  select * into ended from runner_job where id = target for update;
  if not found then return 'missing'; end if;
  if ended.state not in (4, 6, 7, 8) then return 'not ended'; end if;
  select * into ladder from job where id = ended.job_id;
  if ladder.state = 'failed' then
    if exists (
      select 1 from job where type = ladder.type and video_id = ladder.video_id
        and (id > ladder.id or state not in ('completed', 'failed', 'cancelled'))
    ) or (ladder.finished_at <= now() - interval '1 day' and exists (
      select 1 from runner_job where job_id = ladder.id and type = 'kinora-vod-part-transcoding'
    )) then return 'outdated'; end if;
    update video set state = 2, updated_at = now() where id = ladder.video_id and state = 7;
    update job set state = 'waiting-children', attempts = 0, progress = null, error = null, finished_at = null,
        run_at = now(), updated_at = now()
      where id = ladder.id;
  elsif ladder.state <> 'waiting-children' or exists (
    select 1 from runner_job p where p.id = ended.parent_id and p.state in (4, 6, 7, 8)
  ) then
    return 'outdated';
  end if;
  with recursive again as (
    select r.id, r.parent_id from runner_job r
      where r.id = target or (ladder.state = 'failed' and r.job_id = ladder.id and r.state in (4, 6, 7, 8))
    union
    select c.id, c.parent_id from runner_job c join again a on c.parent_id = a.id where c.state in (7, 8)
  )
  update runner_job r set
    state = case when r.parent_id in (select id from again)
      or exists (select 1 from runner_job p where p.id = r.parent_id and p.state in (1, 2, 5, 9)) then 5 else 1 end,
    failures = 0, accepted = 0, error = null, progress = null, result = null, started_at = null, finished_at = null,
    updated_at = now()
    where r.id in (select id from again);
  return 'retried';
end $$;
`
