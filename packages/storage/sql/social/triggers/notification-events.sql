-- Records what notifications are about. What a table knows of itself is recorded by triggers: whichever way a video
-- comes to be seen, it is recorded once.

create trigger notification_event_told after insert on notification_event
  for each statement execute function notification_event_told();
create trigger comment_notification_gone after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function comment_notification_gone();
-- Runs after video_listed: triggers run by name.
create trigger video_listed_announced before insert or update of state, privacy on video for each row
  when (new.visible > 0 and not new.announced) execute function video_announced();
create trigger video_awaited after update of state on video for each row
  when (old.state in (2, 3) and new.state = 1 and new.wait_transcoding and not new.remote)
  execute function video_awaited();
create trigger blacklist_told after insert or delete on video_blacklist
  for each row execute function blacklist_told();
create trigger import_told after update of state on video_import for each row
  when (old.state not in (2, 3) and new.state in (2, 3)) execute function import_told();
create trigger collaborator_asked after insert on video_channel_collaborator
  for each row execute function collaborator_told();
create trigger collaborator_answered after update of state on video_channel_collaborator for each row
  when (old.state <> new.state) execute function collaborator_told();
create trigger ownership_asked after insert on ownership_change for each row execute function ownership_told();
create trigger ownership_answered after update of state on ownership_change for each row
  when (old.state <> new.state) execute function ownership_told();
