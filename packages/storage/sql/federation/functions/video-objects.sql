-- Voids the text of a video for other instances, which `video_read_model` keeps, when what it shows changes.

create function video_object_void() returns trigger language plpgsql as $$
begin
  new.object := null;
  return new;
end $$;
