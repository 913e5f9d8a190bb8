-- What becomes of imports when their video is deleted.

create trigger video_import_orphaned before update of video_id on video_import
  for each row when (new.video_id is null and old.video_id is not null and old.state in (1, 6))
  execute function video_import_orphaned();
