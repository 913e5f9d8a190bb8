-- Files of the object store that are to be deleted.

-- Objects to remove after the transaction that made them unreachable; not_before leaves time to running players.
create table object_removal (
  id integer generated always as identity primary key,
  bucket text not null,
  name text not null,
  not_before timestamptz not null default now(),
  attempts integer not null default 0,
  created_at timestamptz not null default now()
);
create index object_removal_due on object_removal (not_before);
