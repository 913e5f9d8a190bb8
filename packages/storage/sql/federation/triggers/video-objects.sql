-- Void the text of a video for other instances.

create trigger video_object_void before update on video_read_model for each row
  when (new.object is not null and (new.summary is null or new.details is null)) execute function video_object_void();
-- Parts that no other kept text shows.
create trigger video_object_void after insert or update or delete on video_caption
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_text_void('object');
create trigger video_object_void after insert or update or delete on storyboard
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_text_void('object');
