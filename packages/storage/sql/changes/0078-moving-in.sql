-- The import of an instance that another program kept (docs/moving-in.md): how far it has come. Its one row says that there was
-- one; while it is not done, no node starts.
create table moving_in (
  only_one boolean primary key default true check (only_one),
  -- Digest of what tells the old instance from others.
  source text not null,
  state text not null default 'rows' check (state in ('rows', 'files', 'done')),
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

-- One row a step: the last key that was read, and what became of the rows.
create table moving_in_step (
  step text primary key,
  position jsonb not null default '[]',
  rows_read bigint not null default 0,
  rows_written bigint not null default 0,
  done boolean not null default false,
  -- Of rows that the database refused: why, at most some of them.
  refused jsonb not null default '[]'
);

-- Files that are in their places, with the digest of what was read at their source. Gone when all is done.
create table moving_in_file (
  bucket text not null,
  name text not null,
  size bigint not null,
  sha256 text not null,
  primary key (bucket, name)
);
