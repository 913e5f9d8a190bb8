-- Marks of videos for the outbox.

create trigger video_begin_marked after insert on video for each row
  when (not new.remote and new.state in (1, 4, 5) and new.privacy in (1, 2)) execute function video_marked();
create trigger video_change_marked after update of name, category, licence, language, privacy, state, nsfw, nsfw_flags,
  nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding, download_enabled, comments_policy,
  embed_privacy_policy, originally_published_at, published_at, updated_at, channel_id, account_id
  on video for each row
  when (not new.remote and (new.state in (1, 4, 5) or old.state in (1, 4, 5) or new.privacy <> old.privacy))
  execute function video_marked();
-- Before video_blacklist_listed, which touches the row of the video: triggers run by name.
create trigger block_marked after insert or update or delete on video_blacklist
  for each row execute function video_block_marked();
create trigger video_part_marked after insert or update or delete on thumbnail
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on video_tag
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on streaming_playlist
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on storyboard
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on video_caption
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on live_video
  for each row execute function video_part_marked();
create trigger video_part_marked after insert or update or delete on live_schedule
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_file_marked after insert or update or delete on video_file
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_marked();
create trigger video_theme_marked after update of player_theme on video for each row
  when (not new.remote and old.player_theme is distinct from new.player_theme) execute function theme_marked();
create trigger video_end_marked before delete on video for each row
  when (not old.remote) execute function video_end_marked();
