-- Channels pass on what is said below their videos (FEP-1b12), when the instance is configured so.
--
-- Servers of groups (Lemmy and its like) take what others do in a group from the group alone; all others know nothing
-- of activities that are announced. So each inbox gets one of both and never both: what was to be delivered to an inbox
-- of a server of groups becomes the Announce.

create constraint trigger comment_activity_announced after insert on activity deferrable initially deferred for each row
  when (new.type in ('Create', 'Update')) execute function comment_activity_announced();
create trigger comment_deleted_announced after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null and not old.held_for_review)
  execute function comment_delete_announced();
create trigger comment_passed_on after insert on video_comment for each row
  when (new.server_id is not null and not new.held_for_review and new.deleted_at is null)
  execute function comment_passed_on();
create trigger comment_changed_passed_on after update of text, held_for_review on video_comment for each row
  when (new.server_id is not null and not new.held_for_review and new.deleted_at is null
    and (old.held_for_review or old.text <> new.text))
  execute function comment_passed_on();
create trigger rate_passed_on after insert or update or delete on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_passed_on();
