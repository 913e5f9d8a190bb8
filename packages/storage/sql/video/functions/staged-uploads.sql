-- Files of an unfinished upload go with it.
create function upload_objects_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) select 'staged_uploads', name from gone;
  return null;
end $$;
