-- Nodes of a cluster (docs/decisions/cluster.md). A node is alive as long as its row was touched in the last ten seconds; its
-- shards are its own for as long.
create table cluster_node (
  id integer generated always as identity unique,
  -- Where other nodes reach it: host and port.
  address text collate "C" primary key,
  name text not null,
  roles text[] not null,
  -- As Effect Cluster encodes a runner.
  runner text not null,
  healthy boolean not null default true,
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- What it runs, for administrators.
  report jsonb
);

-- Which node runs the entities and singletons of a shard. No foreign key: a row whose node is gone is free.
create table cluster_shard (
  shard text collate "C" primary key,
  address text collate "C" not null
);
create index cluster_shard_address on cluster_shard (address);
