-- Voids ready answers when what they show changes, and makes them anew.

create trigger video_wire_begin after insert on video
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_wire_begin();
create trigger video_wire_void after update on video for each row
  when (old.* is distinct from new.*) execute function video_wire_void();
create trigger video_wire_void after insert or update or delete on thumbnail
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_tag
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_blacklist
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_schedule_update
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on streaming_playlist
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_file
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_file_void();
create trigger video_wire_void after update of name on tag for each row execute function tag_void();
