-- Objects that are in object storage. Objects without a row are on disk.
create table s3_object (
  bucket text not null,
  name text not null,
  size bigint not null check (size >= 0),
  -- Of the bytes; null where the object was found there and was not stored by us.
  sha256 bytea check (length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (bucket, name)
);

-- Uploads to object storage in parts, which another process may continue.
create table s3_upload (
  bucket text not null,
  name text not null,
  upload_id text not null,
  sha256 bytea not null,
  part_bytes bigint not null check (part_bytes > 0),
  created_at timestamptz not null default now(),
  primary key (bucket, name)
);

create table s3_upload_part (
  bucket text not null,
  name text not null,
  number integer not null check (number > 0),
  etag text not null,
  primary key (bucket, name, number),
  foreign key (bucket, name) references s3_upload (bucket, name) on delete cascade
);

-- Where the object is removed: on disk or in object storage; null: wherever it is.
alter table object_removal add column store text check (store in ('disk', 's3'));
create index object_removal_name on object_removal (bucket, name) where store is not null;
