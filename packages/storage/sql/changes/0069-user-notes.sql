-- What moderators note about users, for each other. Users never see it, and it goes with its user. `author` is the name the
-- author had then; both are null for the operator, in a shell.
create table user_note (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  author_id integer references app_user (id) on delete set null,
  author text,
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_note_user on user_note (user_id, id);
create index user_note_author on user_note (author_id) where author_id is not null;

-- When the user last confirmed the password in this session, after the login.
alter table oauth_token add column confirmed_at timestamptz;
