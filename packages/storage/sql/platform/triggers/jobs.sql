-- Leases of jobs, and what waits for other jobs.

create trigger job_ended after update of state on job for each row
  when (old.state <> new.state and new.state in ('completed', 'failed', 'cancelled')) execute function job_dependency_over();
create trigger job_dependency_gone after delete on job_dependency for each row execute function job_dependency_over();
create trigger job_claimable_new after insert on job for each row
  when (new.state = 'waiting') execute function job_claimable();
create trigger job_claimable_again after update of state on job for each row
  when (old.state <> new.state and new.state = 'waiting') execute function job_claimable();
create trigger job_pause_over after delete on job_pause for each row execute function job_pause_over();
