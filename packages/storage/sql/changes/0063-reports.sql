-- Reports by users of this instance (docs/decisions/reports.md).

-- What the reporter and the moderators write to each other about a report. Accounts may go; what was written stays as
-- long as the report.
create table abuse_message (
  id integer generated always as identity primary key,
  abuse_id integer not null references abuse (id) on delete cascade,
  account_id integer references account (id) on delete set null,
  -- Written by a moderator, not by the reporter: a moderator may be either.
  by_moderator boolean not null,
  message text not null,
  created_at timestamptz not null default now()
);
create index abuse_message_abuse on abuse_message (abuse_id, id);
create index abuse_message_account on abuse_message (account_id) where account_id is not null;

-- False: the reporter named something by its row id that is only for those who know its address or its password. The
-- reporter is shown nothing of it, since row ids can be counted through.
alter table abuse add column shown_to_reporter boolean not null default true;
-- How often a thing was reported, also when it is gone.
create index abuse_target on abuse (kind, (target ->> 'id'), id);

-- The message a notification is about.
alter table user_notification add column abuse_message_id integer references abuse_message (id) on delete cascade;
create index user_notification_abuse_message on user_notification (abuse_message_id) where abuse_message_id is not null;
