-- Uploads in progress.

-- A resumable upload. received counts bytes that are on disk and acknowledged.
create table upload_session (
  id text primary key,
  user_id integer not null references app_user (id) on delete cascade,
  video_id integer references video (id) on delete cascade,
  kind text not null default 'video' check (kind in ('video', 'replace', 'user-import')),
  filename text not null,
  content_type text not null,
  size bigint not null check (size > 0),
  received bigint not null default 0 check (received >= 0 and received <= size),
  metadata jsonb not null,
  state text not null default 'open' check (state in ('open', 'finishing', 'done')),
  result jsonb,
  result_video_id integer references video (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Whose quota an upload takes: the owner of the channel, who need not be the one that uploads.
  payer_id integer not null references app_user (id) on delete cascade,
  -- Bytes that the owner gets back when the upload takes the place of a source that is kept.
  released bigint not null default 0 check (released >= 0)
);
create index upload_session_expiry on upload_session (expires_at);
create index upload_session_user on upload_session (user_id);
create index upload_session_video on upload_session (video_id);
create index upload_session_result on upload_session (result_video_id);
create index upload_session_payer on upload_session (payer_id);
