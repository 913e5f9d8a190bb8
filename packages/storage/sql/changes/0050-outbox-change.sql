-- Things that changed and that other instances have to hear of (docs/decisions/outbox.md).

-- Triggers write these rows in the transaction of a change: one a thing and transaction. The outbox reads them, makes the
-- activities, and deletes them with that. by_id parts things that take two rows to name: who rated a video.
create table outbox_change (
  id bigint generated always as identity primary key,
  kind text not null,
  thing_id integer not null,
  by_id integer not null default 0,
  xact xid8 not null default pg_current_xact_id(),
  -- One of many of the same transaction: others go first.
  bulk boolean not null default false,
  -- Facts that cannot be read afterwards: before the transaction ("before") and at its end ("after").
  details jsonb,
  failures integer not null default 0,
  error text,
  due timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (kind, thing_id, by_id, xact)
);
create index outbox_change_order on outbox_change (bulk, id);
-- Addresses that activities to come have.
create index outbox_change_url on outbox_change ((details -> 'after' ->> 'url'));

-- What other instances have of our things, as it was sent last.
alter table video_told rename to video_published;
alter index video_told_pkey rename to video_published_pkey;
alter table playlist_told rename to playlist_published;
alter index playlist_told_pkey rename to playlist_published_pkey;
alter table actor_told rename to actor_published;
alter index actor_told_pkey rename to actor_published_pkey;
