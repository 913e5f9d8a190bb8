-- Voids the kept texts of videos when what they show changes.

create trigger video_read_model_begin after insert on video
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_read_model_begin();
create trigger video_void_read_model after update on video for each row
  when (old.* is distinct from new.*) execute function video_read_model_void();
create trigger video_void_read_model after insert or update or delete on thumbnail
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on video_tag
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on video_blacklist
  for each row execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on video_schedule_update
  for each row execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on streaming_playlist
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on video_file
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_void_read_model after insert or update or delete on live_schedule
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_void_read_model after update of name on tag for each row execute function tag_void();
