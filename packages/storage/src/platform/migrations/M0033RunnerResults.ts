/** Ends a job of runners well, in one statement: see `RunnerJobBoard.complete`. */
export const M0033RunnerResults = `
-- Answers whether the result is the job's: false when the job was not held under that token any more. What was written down
-- before is said again, to who could not know.
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
`
