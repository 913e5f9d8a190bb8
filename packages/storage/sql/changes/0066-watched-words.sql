-- Words that accounts and the instance watch for, and what becomes of what has them (docs/decisions/watched-words.md). The
-- instance's lists, subscriptions and policies are those of its own account.

-- Lists of words that others publish, fetched regularly.
create table watched_words_subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account (id) on delete cascade,
  url text not null,
  -- As its publisher calls it; its host until it was fetched.
  name text not null,
  -- 1 waits for its first fetch, 2 is fetched, 3 is as it was fetched last, 4 could not be fetched the last time.
  state smallint not null default 1 check (state between 1 and 4),
  last_error text,
  -- Fetches that failed in a row.
  failures integer not null default 0,
  last_sync_at timestamptz,
  -- Of what was applied last (RFC 9110, 8.8.3); null: its server gave none.
  etag text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, url)
);

create table watched_words_list (
  id integer generated always as identity primary key,
  account_id integer not null references account (id) on delete cascade,
  -- The name of the automatic tag as well.
  name citext not null,
  words text[] not null,
  -- Whose words these are; null: the account's own.
  subscription_id integer unique references watched_words_subscription (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name)
);

-- Names the present words of an account, which nodes keep ready for comparing. An account without a row has no words.
create table watched_words_version (
  account_id integer primary key references account (id) on delete cascade,
  version uuid not null default gen_random_uuid()
);

-- What becomes of what has a tag: 2, comments wait for review; 3, videos are blocked (contract: AutomaticTagPolicy).
create table automatic_tag_policy (
  account_id integer not null references account (id) on delete cascade,
  policy smallint not null check (policy in (2, 3)),
  name citext not null,
  primary key (account_id, policy, name)
);
