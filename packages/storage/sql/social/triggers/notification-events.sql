-- Marks of what happened: the notifications (packages/node/src/social/notification) read them and decide what is news,
-- and for whom. A mark stands in the transaction of the change: whichever way a video comes to be seen, it is marked once.

create trigger notification_wakeup after insert on notification_event
  for each statement execute function wakeup('notification', 'event');
create trigger comment_notification_gone after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function comment_notification_gone();
-- Runs after video_listed: triggers run by name.
create trigger video_listing_marked before insert or update of state, privacy on video for each row
  when (new.visible <> 0 and not new.announced) execute function video_listing_marked();
create trigger video_ready_marked after update of state on video for each row
  when (old.state in (2, 3) and new.state = 1) execute function video_ready_marked();
create trigger video_block_event after insert on video_blacklist
  for each row execute function notification_marked('VideoBlocked');
create trigger video_unblock_event after delete on video_blacklist
  for each row execute function notification_marked('VideoUnblocked');
create trigger import_end_marked after update of state on video_import for each row
  when (old.state not in (2, 3) and new.state in (2, 3)) execute function notification_marked('ImportFinished');
create trigger collaborator_asked after insert on video_channel_collaborator
  for each row execute function notification_marked('CollaborationChanged');
create trigger collaborator_answered after update of state on video_channel_collaborator for each row
  when (old.state <> new.state) execute function notification_marked('CollaborationChanged');
create trigger ownership_asked after insert on ownership_change
  for each row execute function notification_marked('OwnershipChanged');
create trigger ownership_answered after update of state on ownership_change for each row
  when (old.state <> new.state) execute function notification_marked('OwnershipChanged');
