-- Jobs of runners: how they are handed back, begun again and ended.

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

-- Begins a job again that failed, was cancelled or ended with its parent: with all of its failures forgotten. A ladder
-- that has failed waits for it again, and for those that ended with it; what was done stays done. Answers 'retried',
-- 'missing', 'not ended', or 'outdated' when nobody waits for it any more, or what was cut out for its parts is gone:
-- after a day.
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

-- Answers whether the result is the job's: false when the job was not held under that token any more. What was written
-- down before is said again, to who could not know.
create function runner_job_complete(target integer, holder bytea, made text) returns boolean language plpgsql as $$
begin
  perform runner_ladder_lock(target);
  update runner_job set state = 3, progress = 100, result = made, error = null, lease_until = null,
      finished_at = now(), updated_at = now()
    where id = target and token_hash = holder and state = 2;
  if not found then
    return exists (select 1 from runner_job where id = target and token_hash = holder and state = 3 and result = made);
  end if;
  update runner_job set state = 1, updated_at = now() where parent_id = target and state = 5;
  return true;
end $$;
