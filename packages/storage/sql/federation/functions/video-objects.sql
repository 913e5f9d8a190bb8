-- Voids the text of a video for other instances, which `video_read_model` keeps, when what it shows changes.

create function video_object_void() returns trigger language plpgsql as $$
begin
  new.object := null;
  return new;
end $$;

-- Of parts that no other kept text shows.
create function video_object_part_void() returns trigger language plpgsql as $$
begin
  update video_read_model set object = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
