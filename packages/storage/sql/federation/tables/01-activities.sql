-- Activities of local actors and their deliveries.
--
-- What goes to more than a hundred inboxes commits with one row that names them all (`delivery_fanout`); a node makes
-- its deliveries of that row right after (`expand_fanout`).

-- What local actors did; `delivery` has the distinct (shared) inboxes it must still go to.
create table activity (
  id bigint generated always as identity primary key,
  uri text not null unique,
  type text not null,
  actor_id integer references actor (id) on delete set null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  -- An activity outlives its actor: the Delete of an actor must still be signed. sender and private_key are kept for
  -- that.
  sender text,
  private_key text,
  -- Which terms the document needs besides those of every activity (contract: contexts).
  context text not null default 'Base',
  -- What it is about: activities about one thing reach a host in their order.
  thing text,
  -- The whole document with its linked-data signature, made before its first delivery.
  document text,
  -- Somebody else's activity, sent on as it came.
  forwarded boolean not null default false
);
create index activity_actor on activity (actor_id, id desc);
create index activity_age on activity (created_at);
create index activity_keys on activity (id) where private_key is not null;

-- Many rows are written at once while somebody waits: no more is checked and indexed than is asked for. Activities go
-- only when no delivery of theirs is left.
create table delivery (
  id bigint generated always as identity primary key,
  activity_id bigint not null,
  inbox_url text not null,
  host text collate "C" not null,
  lane smallint not null default 1,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now()
);
create index delivery_in_order on delivery (host, lane, id);
create index delivery_first on delivery (next_attempt_at) where lane = 0;
create index delivery_activity on delivery (activity_id);

-- What is known of a host we deliver to. Rows of hosts that nobody asked for in a while are forgotten.
create table delivery_host (
  host text collate "C" primary key,
  -- The form of signatures it takes; null: not known yet.
  form text check (form in ('cavage', 'rfc9421')),
  failures integer not null default 0,
  failing_since timestamptz,
  rest_until timestamptz,
  last_error text,
  last_status smallint,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index delivery_host_age on delivery_host (updated_at);

-- One node at a time sends to a host. A node that works for a host has it for fifteen seconds and may have it for longer
-- as long as nobody took it; who ends without a word loses it when these are over. What is lost with a crash of the
-- server lets the next one take it at once, so nothing is logged.
create unlogged table delivery_turn (
  host text collate "C" primary key,
  -- Which node has it, by its name.
  node text not null,
  until timestamptz not null
);
create index delivery_turn_until on delivery_turn (until);

create table delivery_fanout (
  activity_id bigint primary key references activity (id) on delete cascade,
  lane smallint not null,
  inboxes text[] not null,
  created_at timestamptz not null default now()
);
