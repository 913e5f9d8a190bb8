-- Jobs of runners that wait for somebody.

-- Whoever informs runners that there is work listens on the channel "runner_job"; the payload is empty, or the id of a
-- runner that is gone.
create trigger runner_job_claimable_new after insert on runner_job for each row
  when (new.state = 1) execute function wakeup('runner_job', '');
create trigger runner_job_claimable_again after update of state on runner_job for each row
  when (old.state <> new.state and new.state = 1) execute function wakeup('runner_job', '');
