-- Mails that administrators write to users. A task hands them over to the mail queue little by little: as jobs, in the
-- transaction that counts them.
create table mailing (
  id integer generated always as identity primary key,
  -- Templates, as they were written.
  subject text not null,
  body text not null,
  -- Name of the administrator; null: the operator, in a shell.
  author text,
  -- Null: not to certain users.
  user_ids integer[],
  -- Null: to users of any role.
  role smallint,
  -- 1 sending, 2 sent, 3 cancelled
  state smallint not null default 1 check (state in (1, 2, 3)),
  -- How many users there is a mail for, and the last of them: users are taken in the order of their ids.
  queued integer not null default 0,
  last_user_id integer not null default 0,
  -- When the next users are due. Nodes share the rate by it.
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index mailing_open on mailing (next_at) where state = 1;
create index mailing_created on mailing (created_at desc, id desc);
