-- Logos of the instance, one of each kind (contract: UploadImageType).
create table instance_logo (
  -- 1 favicon, 2 wide logo of the header, 3 square logo of the header, 4 picture of previews (Open Graph)
  type smallint primary key check (type between 1 and 4),
  filename text not null unique,
  width integer not null,
  height integer not null,
  created_at timestamptz not null default now()
);
