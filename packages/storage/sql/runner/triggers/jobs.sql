-- Jobs of runners: how they are handed back, begun again and ended.

create trigger runner_job_claimable_new after insert on runner_job for each row
  when (new.state = 1) execute function runner_job_claimable();
create trigger runner_job_claimable_again after update of state on runner_job for each row
  when (old.state <> new.state and new.state = 1) execute function runner_job_claimable();
create trigger runner_gone before delete on runner for each row execute function runner_gone();
