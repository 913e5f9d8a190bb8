-- Marks of what webhooks are sent. That a video is listed for the first time is marked by video_listing_marked.

create trigger webhook_event_wakeup after insert on webhook_event
  for each statement execute function wakeup('webhook', '');
create trigger webhook_delivery_wakeup after insert or update of state on webhook_delivery for each row
  when (new.state = 1) execute function wakeup('webhook', '');
-- Transcoding and moving have failed for good in these states; imports have a state of their own.
create trigger webhook_video_failed after update of state on video for each row
  when (not new.remote and old.state not in (7, 8, 11) and new.state in (7, 8, 11))
  execute function webhook_marked('video.failed');
create trigger webhook_import_failed after update of state on video_import for each row
  when (old.state <> 3 and new.state = 3) execute function webhook_marked('video.failed');
-- The state of its video is that of a live: a session that nobody could see is none.
create trigger webhook_live_started after update of state on video for each row
  when (new.is_live and not new.remote and old.state in (4, 5) and new.state = 1)
  execute function webhook_live_marked('live.started');
create trigger webhook_live_ended after update of state on video for each row
  when (new.is_live and not new.remote and old.state = 1 and new.state in (4, 5))
  execute function webhook_live_marked('live.ended');
create trigger webhook_report_created after insert on abuse
  for each row execute function webhook_marked('report.created');
create trigger webhook_registration_created after insert on user_registration for each row
  when (new.state = 1) execute function webhook_marked('registration.created');
create trigger webhook_user_created after insert on app_user
  for each row execute function webhook_marked('user.created');
create trigger webhook_comment_held after insert on video_comment for each row
  when (new.held_for_review) execute function webhook_marked('comment.held');
