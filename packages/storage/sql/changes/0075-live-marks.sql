-- Moments that makers mark while a live is published: chapters of its replay. Where they are in the recording is given by the
-- run of the encoder, numbered as the files of the session are, and by milliseconds since it began.
create table live_mark (
  id integer generated always as identity primary key,
  session_id integer not null references live_session (id) on delete cascade,
  run integer not null check (run >= 0),
  offset_ms integer not null check (offset_ms >= 0),
  title text not null check (title <> ''),
  created_at timestamptz not null default now()
);
create index live_mark_session on live_mark (session_id, id);

-- Lists ask which lives are announced for later.
create index live_schedule_start on live_schedule (start_at);
