-- Copies of videos: what shows them is made anew, and their files go with them.

create function video_redundancy_void() returns trigger language plpgsql as $$
begin
  update video_read_model set details = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;

-- However a copy goes, its files do: players that run have an hour.
create function video_redundancy_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name, not_before)
    select 'redundancy', name, now() + interval '1 hour' from unnest(old.files) name;
  return null;
end $$;
