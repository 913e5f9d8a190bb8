-- Files of archives go when their rows do.

create function user_export_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) values ('user_exports', old.uuid || '.zip');
  return null;
end $$;

create function user_import_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name) values ('user_imports', old.uuid || '.zip');
  return null;
end $$;
