-- Requests of clients counted among all nodes of a cluster (docs/decisions/rate-limits-and-metrics.md). Not logged: a crash of the
-- server empties it, and all windows begin anew.
create unlogged table rate_limit (
  -- A digest of the limit's name and the client.
  key bytea primary key,
  used integer not null,
  ends_at timestamptz not null
);
create index rate_limit_ends_at on rate_limit (ends_at);
