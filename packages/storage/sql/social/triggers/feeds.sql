-- Counts changes to what feeds are made of.

create trigger feed_changed after insert or update or delete on video for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_file
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function feed_changed();
create trigger feed_changed after insert or update or delete on streaming_playlist
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function feed_changed();
create trigger feed_changed after insert or update or delete on thumbnail
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function feed_changed();
create trigger feed_changed after insert or update or delete on tag for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_tag
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_blacklist for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_caption
  for each statement when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_chapter for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on account for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_channel for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_channel_collaborator for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on actor for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on actor_image for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on actor_follow for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on server for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on account_block for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on server_block for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on video_comment for each statement execute function feed_changed();
create trigger feed_changed after insert or update or delete on custom_setting for each statement execute function feed_changed();
