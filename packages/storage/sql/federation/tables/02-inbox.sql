-- What peers sent, once for each id, from its arrival to what it changes. Whatever a row changes commits together with
-- its state (docs/decisions/inbox.md).

-- Activities of others, in the order they came in; applied by the sending host's inbox actor.
create table inbox_activity (
  id bigint generated always as identity primary key,
  uri text not null unique,
  host citext not null,
  actor_url text not null,
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'applied', 'refused')),
  error text,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  type text not null default '',
  -- What it is about, where there is one thing and it has an address.
  object text,
  -- Of the bytes it came in.
  digest text not null default '',
  -- Length of body as it came; 0 once it is applied, when nothing is kept but what shows a repetition.
  bytes integer not null default 0,
  attempts smallint not null default 0,
  -- Not tried again before.
  not_before timestamptz
);
create index inbox_activity_waiting on inbox_activity (host, id) include (bytes, not_before) where state = 'waiting';
-- By what they are about: to be found when that is deleted meanwhile.
create index inbox_activity_postponed on inbox_activity (md5(object)) where state = 'waiting' and not_before is not null;
-- The Create that brings a comment of others. The comment is written before that is done with, in a transaction of its
-- own: it is found by what it is about.
create index inbox_activity_note on inbox_activity (md5(object))
  where state = 'waiting' and type = 'Create' and body -> 'object' ->> 'type' = 'Note';
-- The Update that changes a comment of others, as the Create that brings one: the text is written before that is done
-- with.
create index inbox_activity_note_changed on inbox_activity (md5(object))
  where state = 'waiting' and type = 'Update' and body -> 'object' ->> 'type' = 'Note';
