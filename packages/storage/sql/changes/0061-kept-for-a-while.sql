-- What is kept for some time after it was deleted or replaced.

-- Deleted comments, oldest first: they go when their time is over and nobody answers them.
create index video_comment_deleted on video_comment (deleted_at) where deleted_at is not null;

-- Web videos that were replaced: as long as such a file is kept for running players, its address leads to its successor.
create table replaced_video_file (
  filename text primary key,
  video_id integer not null references video (id) on delete cascade,
  resolution integer not null,
  kept_until timestamptz not null
);
create index replaced_video_file_video on replaced_video_file (video_id);
create index replaced_video_file_until on replaced_video_file (kept_until);
