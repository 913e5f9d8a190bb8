-- Ladders that are divided into jobs of runners.

create trigger runner_ladder_over after update of state on runner_job for each row
  when (old.job_id is not null and old.state <> new.state and new.state in (3, 4, 6, 7, 8))
  execute function runner_ladder_over();
create trigger runner_ladder_less after delete on runner_job for each row
  when (old.job_id is not null) execute function runner_ladder_over();
create trigger runner_ladder_dropped after update of state on job for each row
  when (old.state <> new.state and new.state in ('failed', 'cancelled')) execute function runner_ladder_dropped();
-- By its name it fires before the one that lets the ladder go.
create trigger runner_ladder_done after update of state on runner_job for each row
  when (new.job_id is not null and old.state <> new.state and new.state = 3) execute function runner_ladder_progress();
