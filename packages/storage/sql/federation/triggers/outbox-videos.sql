-- What goes out about videos.

create constraint trigger video_begun after insert on video deferrable initially deferred for each row
  when (not new.remote and new.state in (1, 4, 5) and new.privacy in (1, 2)) execute function video_begun();
create trigger video_opened after insert on video for each row
  when (not new.remote and new.state in (1, 4, 5)) execute function video_opened();
create trigger video_reopened after update of privacy, state on video for each row
  when (not new.remote and new.state in (1, 4, 5) and (old.privacy <> new.privacy or old.state <> new.state))
  execute function video_opened();
create constraint trigger video_moved after update of name, category, licence, language, privacy, state, nsfw, nsfw_flags,
  nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding, download_enabled, comments_policy,
  embed_privacy_policy, originally_published_at, published_at, updated_at, channel_id, account_id
  on video deferrable initially deferred for each row
  when (not new.remote and (new.state in (1, 4, 5) or old.state in (1, 4, 5) or new.privacy <> old.privacy))
  execute function video_moved();
create constraint trigger video_part_moved after insert or update or delete on video_blacklist
  deferrable initially deferred for each row execute function video_blocked();
create constraint trigger video_part_moved after insert or update or delete on thumbnail
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_moved();
create constraint trigger video_part_moved after insert or update or delete on video_tag
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_moved();
create constraint trigger video_part_moved after insert or update or delete on streaming_playlist
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_moved();
create constraint trigger video_part_moved after insert or update or delete on storyboard
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_moved();
create constraint trigger video_part_moved after insert or update or delete on video_caption
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_part_moved();
create constraint trigger video_file_moved after insert or update or delete on video_file
  deferrable initially deferred
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_file_moved();
create constraint trigger video_theme_moved after update of player_theme on video deferrable initially deferred for each row
  when (not new.remote and old.player_theme is distinct from new.player_theme) execute function video_theme_moved();
create trigger video_goes before delete on video for each row
  when (not old.remote) execute function video_goes();
