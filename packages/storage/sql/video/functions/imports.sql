-- What becomes of imports when their video is deleted.

-- Whoever deletes a video that is still being imported ends its import: its job goes with the video.
create function video_import_orphaned() returns trigger language plpgsql as $$
begin
  new.state := 5;
  new.updated_at := now();
  return new;
end $$;
