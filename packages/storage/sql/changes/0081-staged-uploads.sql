-- Files of unfinished uploads in object storage: parts of the file by where they begin, and pictures, which begin nowhere. Only
-- where several nodes do not share a folder for them.
create table upload_object (
  name text primary key,
  upload_id text not null references upload_session (id) on delete cascade,
  begins_at bigint check (begins_at >= 0),
  size bigint not null check (size >= 0)
);
create unique index upload_object_upload on upload_object (upload_id, begins_at);
