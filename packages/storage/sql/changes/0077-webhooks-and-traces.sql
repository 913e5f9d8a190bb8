-- Webhooks: addresses that are sent what happens (docs/decisions/webhooks.md). Triggers mark it in the transaction of the
-- change, a task makes deliveries of each mark, and a node that holds the line of a webhook sends them.

create table webhook (
  id integer generated always as identity primary key,
  url text not null,
  description text not null default '',
  -- Types of the events that it is sent.
  events text[] not null,
  -- The key of its signatures, sealed: see docs/secrets.md.
  sealed_secret text not null,
  -- The one before it signs as well until then, so that receivers have time to learn the new one.
  former_sealed_secret text,
  former_until timestamptz,
  active boolean not null default true,
  -- Why the program made it inactive: 1 it answered that it is gone, 2 it failed for days. Null: it did not.
  disabled_reason smallint check (disabled_reason in (1, 2)),
  -- Since when nothing was delivered although it was tried; null: the last attempt succeeded, or there was none.
  failing_since timestamptz,
  -- Times in a row that it did not answer at all, and until when it is left alone.
  silent_times integer not null default 0,
  rest_until timestamptz not null default '-infinity',
  -- Its line is held by one node at a time.
  lease_token uuid,
  lease_until timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (disabled_reason is null or not active)
);

-- What happened, until deliveries were made of it. Written only while an active webhook wants it. subject is the id of a row of
-- the table that source names. id becomes that of the message.
create table webhook_event (
  id uuid primary key default gen_random_uuid(),
  type text not null,
  source text not null,
  subject integer not null,
  failures integer not null default 0,
  not_before timestamptz not null default '-infinity',
  created_at timestamptz not null default clock_timestamp()
);
create index webhook_event_order on webhook_event (created_at, id);

-- One message to one webhook. message_id stays the same in every attempt and replay. body is sent as it is.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  webhook_id integer not null references webhook (id) on delete cascade,
  message_id uuid not null,
  type text not null,
  body text not null,
  -- 1 waiting, 2 delivered, 3 failed
  state smallint not null default 1 check (state in (1, 2, 3)),
  -- Since it was made or last replayed.
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  -- From when on its attempts are counted.
  queued_at timestamptz not null default now(),
  -- Of the last attempt; milliseconds, and the beginning of what was answered.
  attempted_at timestamptz,
  duration integer,
  status smallint,
  answer text,
  error text,
  created_at timestamptz not null default now()
);
create index webhook_delivery_line on webhook_delivery (webhook_id, next_at, id) where state = 1;
create index webhook_delivery_log on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_old on webhook_delivery (created_at) where state <> 1;

-- The span that queued the job, in the form of the W3C header `traceparent`, while traces are exported.
alter table job add column traceparent text;
