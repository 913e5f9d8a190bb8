-- Copies of videos: their files go with them.

-- However a copy goes, its files do: players that run have an hour.
create function video_redundancy_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name, not_before)
    select 'redundancy', name, now() + interval '1 hour' from unnest(old.files) name;
  return null;
end $$;
