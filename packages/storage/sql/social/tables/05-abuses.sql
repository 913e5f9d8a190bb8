-- Reports to the moderators: one row for each thing somebody reported. What it was is written down, since moderators
-- judge what was reported, also when it is gone by then.

create table abuse (
  id integer generated always as identity primary key,
  -- Contract AbuseState: pending, rejected, accepted.
  state smallint not null default 1 check (state between 1 and 3),
  reason text not null,
  -- Contract AbusePredefinedReason.
  predefined_reasons smallint[] not null default '{}',
  moderation_comment text,
  -- When it was first decided.
  processed_at timestamptz,
  reporter_account_id integer references account (id) on delete set null,
  -- Whose the reported thing is; of an account, the account itself.
  flagged_account_id integer references account (id) on delete set null,
  kind text not null check (kind in ('video', 'comment', 'account')),
  video_id integer references video (id) on delete set null,
  comment_id integer references video_comment (id) on delete set null,
  -- Seconds of the video it is about.
  start_at integer check (start_at >= 0),
  end_at integer check (end_at >= 0),
  -- What it was when it was reported: id, uuid, name, nsfw and channelId of a video; id, threadId, text and videoId of
  -- a comment, with that video's uuid and name; id, name and displayName of an account, and the channel where that was
  -- named.
  target jsonb not null,
  -- Id of the activity it came with; null: it was reported here.
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (kind = 'video' or (start_at is null and end_at is null))
);
-- The same activity once more reports nothing anew.
create unique index abuse_url on abuse (url, kind, (target ->> 'id')) where url is not null;
create index abuse_list on abuse (created_at desc, id desc);
create index abuse_pending on abuse (id) where state = 1;
create index abuse_reporter on abuse (reporter_account_id, created_at) where reporter_account_id is not null;
create index abuse_flagged on abuse (flagged_account_id) where flagged_account_id is not null;
create index abuse_video on abuse (video_id) where video_id is not null;
create index abuse_comment on abuse (comment_id) where comment_id is not null;
