-- Who may list a video, and what it is sorted by.

create trigger video_blacklist_listed after insert or delete on video_blacklist
  for each row execute function blacklist_set_listed();
create trigger video_listed before insert or update of state, privacy, views, likes, comments, published_at, account_id
  on video
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_set_listed();
create trigger video_owner_held before insert on video
  for each row when (current_setting('kinora.video_begins', true) is distinct from 'on')
  execute function video_owner_held();
