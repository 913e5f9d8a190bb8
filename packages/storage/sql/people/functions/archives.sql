-- Files of archives go when their rows do.

-- The argument is the bucket.
create function archive_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) values (tg_argv[0], old.uuid || '.zip');
  return null;
end $$;
