-- Notifications: what has happened waits in `notification_event`, one row each, written by the transaction that made it
-- happen; whoever is to know has a row in `user_notification`, made from it by a worker.

create table notification_event (
  id bigint generated always as identity primary key,
  -- A tag of NotificationEvent, and the id of what it is about, which may be gone when it is looked at.
  tag text not null,
  subject integer not null,
  -- How far the notifications have come: the last follow that was served, and the number of attempts.
  position integer not null default 0,
  turns integer not null default 0,
  failures integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index notification_event_next on notification_event (turns, id);

create table user_notification (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  type smallint not null,
  -- Whether it is in the user's list: what is only mailed is not.
  web boolean not null,
  read boolean not null default false,
  -- When the mail is tried next; null: there is none to send.
  mail_at timestamptz,
  mail_attempts smallint not null default 0,
  event_id bigint not null,
  -- Who did it: nothing is shown of those the user has blocked.
  account_id integer references account (id) on delete cascade,
  video_id integer references video (id) on delete cascade,
  comment_id integer references video_comment (id) on delete cascade,
  import_id integer references video_import (id) on delete cascade,
  blacklist_id integer references video_blacklist (id) on delete cascade,
  follow_id integer references actor_follow (id) on delete cascade,
  registration_id integer references user_registration (id) on delete cascade,
  collaborator_id integer references video_channel_collaborator (id) on delete cascade,
  ownership_change_id integer references ownership_change (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  abuse_id integer references abuse (id) on delete cascade
);
-- Of all rows, since users who are removed take theirs along.
create index user_notification_list on user_notification (user_id, created_at desc, id desc);
create index user_notification_unread on user_notification (user_id) where web and not read;
create index user_notification_mail on user_notification (mail_at, id) where mail_at is not null;
create index user_notification_age on user_notification (updated_at) where mail_at is null and (read or not web);
create index user_notification_account on user_notification (account_id) where account_id is not null;
create index user_notification_video on user_notification (video_id) where video_id is not null;
create unique index user_notification_comment on user_notification (comment_id, user_id) where comment_id is not null;
create index user_notification_import on user_notification (import_id) where import_id is not null;
create index user_notification_blacklist on user_notification (blacklist_id) where blacklist_id is not null;
create index user_notification_follow on user_notification (follow_id) where follow_id is not null;
create index user_notification_registration on user_notification (registration_id) where registration_id is not null;
create index user_notification_collaborator on user_notification (collaborator_id) where collaborator_id is not null;
create index user_notification_ownership on user_notification (ownership_change_id)
  where ownership_change_id is not null;
create index user_notification_abuse on user_notification (abuse_id) where abuse_id is not null;
