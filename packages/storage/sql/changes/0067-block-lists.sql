-- Block lists that other instances publish, and the instance's own log of blocks (docs/decisions/block-lists.md).

create table blocklist_subscription (
  id integer generated always as identity primary key,
  url text not null unique,
  -- As its publisher calls it; its host until it was fetched.
  name text not null,
  -- As in watched_words_subscription.
  state smallint not null default 1 check (state between 1 and 4),
  last_error text,
  failures integer not null default 0,
  last_sync_at timestamptz,
  -- The time that the publisher gave the last action that was applied.
  applied_until timestamptz,
  -- As in watched_words_subscription.
  etag text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What is blocked because of a subscription.
create table blocklist_entry (
  subscription_id integer not null references blocklist_subscription (id) on delete cascade,
  host citext not null,
  -- Of the account; empty: all of the host.
  name citext not null,
  -- A moderator has taken it back. It stays so until the subscription ends.
  lifted boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (subscription_id, host, name)
);
create index blocklist_entry_target on blocklist_entry (host, name);

-- False: blocked because of subscriptions alone.
alter table account_block add column by_hand boolean not null default true;
alter table server_block add column by_hand boolean not null default true;

-- The last thing that moderators did by hand to each host and account, for those who subscribe to this instance. Blocks that came
-- from others are not passed on.
create table blocklist_log (
  -- Empty: of this instance.
  host citext not null,
  -- Of the account; empty: all of the host.
  name citext not null,
  action text not null check (action in ('block', 'unblock')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (host, name)
);
create index blocklist_log_time on blocklist_log (created_at, host, name);

insert into blocklist_log (host, name, action, created_at)
  select s.host, '', 'block', b.created_at
  from server_block b join server s on s.id = b.server_id join account o on o.id = b.account_id join actor oa on oa.id = o.actor_id
  where oa.server_id is null and oa.type = 'Application'
  union all
  select coalesce(s.host, ''), t.preferred_username, 'block', b.created_at
  from account_block b join account o on o.id = b.account_id join actor oa on oa.id = o.actor_id
    join account c on c.id = b.target_account_id join actor t on t.id = c.actor_id left join server s on s.id = t.server_id
  where oa.server_id is null and oa.type = 'Application'
  on conflict do nothing;
