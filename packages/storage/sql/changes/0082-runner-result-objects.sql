-- Files of results of runners in object storage, until they are put into use: where several nodes do not share a folder for them,
-- another node than the one that received a result puts it into use.
create table runner_result_object (
  name text primary key,
  -- As in runner_job.result.
  result text not null,
  size bigint not null check (size >= 0),
  created_at timestamptz not null default now()
);
create index runner_result_object_result on runner_result_object (result);
